using Ripple.Engine.Core;
using Ripple.Engine.Regions;
using Ripple.Gms.Frontier;
using Ripple.Gms.Frontier.Monitors;
using Ripple.Gms.Frontier.Predicates;

namespace Ripple.Gms.Tests.Frontier;

/// <summary>
/// Monitors over random histories of members that come, report and go, of predicates that change and of generations: what is told never
/// goes back, is true of the members of the moment, and is at last what anybody would compute.
/// </summary>
public sealed class MonitorPropertyTests
{
    private const int Histories = 1_000;
    private const int Steps = 60;
    private const long StepNs = 4_000_000;

    private static readonly string[] Texts =
    [
        "MIN($ALL.applied)",
        "MAX($ALL.persisted)",
        "KTH_MAX(SIZEOF($ALL)/2 + 1, $ALL.received)",
        "MIN($ZONE(\"a\").applied)",
    ];

    [Fact]
    public void Points_never_go_back_are_true_when_told_and_are_complete_in_the_end()
    {
        for (ulong seed = 1; seed <= Histories; seed++)
        {
            new History(seed).Run();
        }
    }

    private sealed class History
    {
        private readonly Random _random;
        private readonly CoreLoop _core = new(new CoreOptions(), 1);
        private readonly FrontierTable _table = new("shop", 1);
        private readonly FrontierMonitors _monitors;
        private readonly List<FrontierPoint> _named = [];
        private readonly List<FrontierPoint> _plain = [];
        private readonly ulong _seed;
        private ulong _nextNode;
        private ulong _version = 1;
        private string _text = Texts[0];
        private ulong _release = 1;
        private long _nowNs = 1;

        public History(ulong seed)
        {
            _seed = seed;
            _random = new Random((int)seed);
            _monitors = new FrontierMonitors(_table, _core, null);
            Begin("safe", _version, _text, _named);
            Begin(null, 0, Texts[1], _plain);
        }

        public void Run()
        {
            for (int step = 0; step < Steps; step++)
            {
                Change();
                _core.DoWork(_nowNs += StepNs);
                _monitors.Look(_random.Next(4) == 0 ? 1 : long.MaxValue, out _);
            }

            // All that had to wait is looked at now.
            _core.DoWork(_nowNs += FrontierMonitors.RebindNs);
            while (!_monitors.Look(long.MaxValue, out bool again) || again)
            {
                _core.DoWork(_nowNs += FrontierMonitors.RebindNs);
            }

            Assert.True(_named[^1].Release >= Value(_text), $"seed {_seed}: {_named[^1]} at the end, and {Value(_text)} holds");
            Assert.True(_plain[^1].Release >= Value(Texts[1]), $"seed {_seed}: {_plain[^1]} at the end");
            Assert.Equal(_version, _named[^1].Version);
        }

        private void Begin(string? name, ulong version, string text, List<FrontierPoint> told)
        {
            Assert.True(PredicateParser.TryParse(text, out Predicate? predicate, out _));
            WaitLedger.Lease lease = new WaitLedger().TryTake(new ShareOwner("t", "shop"), new WaitShare(), 1, out _)!;
            Assert.NotNull(_monitors.Begin(
                predicate, name, version, lease, p => OnPoint(p, name is null ? text : _text, told), _ => { }, out _));
        }

        private void OnPoint(FrontierPoint point, string text, List<FrontierPoint> told)
        {
            Assert.True(
                told.Count == 0
                    || point.IsBeyond(told[^1])
                    || (!told[^1].IsBeyond(point) && point.Problem is null != told[^1].Problem is null),
                $"seed {_seed}: {point} after {(told.Count == 0 ? default : told[^1])}");
            // Said again with a problem is what was told before; everything else is the value of this moment.
            Assert.True(
                point.Release == Value(text) || (told.Count > 0 && point.Release == told[^1].Release),
                $"seed {_seed}: {point}, and {Value(text)} holds");
            told.Add(point);
        }

        private void Change()
        {
            FrontierRow[] present = [.. _table.CurrentMembers()];
            switch (_random.Next(12))
            {
                case 0 or 1 when present.Length < 8:
                    Assert.True(_table.TryAdd(
                        new FrontierMember
                        {
                            Node = new NodeId(1, ++_nextNode),
                            Incarnation = 1,
                            Name = $"n{_nextNode}",
                            Zone = _random.Next(2) == 0 ? "a" : "b",
                        },
                        out _));
                    break;
                case 2 when present.Length > 0:
                    _table.SetStatus(present[_random.Next(present.Length)], MemberStatus.Failed);
                    break;
                case 3 when _random.Next(4) == 0:
                    _version++;
                    _text = Texts[_random.Next(Texts.Length)];
                    _monitors.OnNames(_ => (_text, _version));
                    break;
                case 4 when _random.Next(8) == 0:
                    _table.BeginGeneration(_table.Generation + 1);
                    break;
                case 5:
                    _release++;
                    break;
                default:
                    if (present.Length > 0)
                    {
                        ulong applied = 1 + (ulong)_random.Next((int)_release);
                        _table.Report(
                            present[_random.Next(present.Length)], _table.Generation, applied, applied, applied, isDirect: false);
                    }

                    break;
            }
        }

        private ulong Value(string text)
        {
            Assert.True(PredicateParser.TryParse(text, out Predicate? predicate, out _));
            return predicate.TryBind(new BindingContext { Table = _table }, out BoundPredicate? bound, out _) ? bound.Evaluate() : 0;
        }
    }
}
