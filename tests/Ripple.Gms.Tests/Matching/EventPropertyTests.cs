using Ripple.Engine.Core;
using Ripple.Engine.Matching;
using Ripple.Gms.Definitions;
using Ripple.Gms.Matching;

namespace Ripple.Gms.Tests.Matching;

/// <summary>
/// Random histories of emitters, subscribers, lost connections and starts of the host, beside a book that is kept by comparing numbers:
/// nobody is missed, and nobody is given what its ranges do not have.
/// </summary>
public sealed partial class EventPropertyTests
{
    private const int Histories = 400;
    private const int Steps = 120;

    [Fact]
    public void With_room_in_their_queues_all_get_what_their_ranges_have_over_lost_connections_and_starts()
    {
        for (ulong seed = 1; seed <= Histories; seed++)
        {
            new History(seed, queueMax: 10_000, mayRestart: true).Run();
        }
    }

    [Fact]
    public void With_little_room_no_more_is_missed_than_was_told()
    {
        ulong told = 0;
        for (ulong seed = 1; seed <= Histories; seed++)
        {
            told += new History(seed, queueMax: 3, mayRestart: false).Run();
        }

        Assert.NotEqual(0UL, told);
    }

    [Fact]
    public void With_little_room_nobody_who_has_emitters_wait_misses_anything_over_lost_connections_and_starts()
    {
        ulong told = 0;
        for (ulong seed = 1; seed <= Histories; seed++)
        {
            told += new History(seed, queueMax: 3, mayRestart: true, blockNs: long.MaxValue / 2).Run();
        }

        Assert.Equal(0UL, told);
    }

    [Fact]
    public void Who_has_emitters_wait_and_takes_nothing_for_long_misses_no_more_than_it_is_told()
    {
        ulong told = 0;
        for (ulong seed = 1; seed <= Histories; seed++)
        {
            told += new History(seed, queueMax: 3, mayRestart: false, blockNs: 1).Run();
        }

        Assert.NotEqual(0UL, told);
    }

    private sealed class History
    {
        private const long StepNs = 250_000_000;
        private const long GraceNs = 20 * StepNs;
        private const string Shop = "shop";

        private static readonly SpaceDefinition Definition = Read("x:integer:0..100 y:integer:0..100");

        private readonly ulong _seed;
        private readonly Random _random;
        private readonly bool _mayRestart;
        private readonly GmsEventOptions _options;
        private readonly CoreLoop _core = new(new CoreOptions(), 1);
        private readonly List<Expected> _book = [];
        private readonly Subscriber[] _subscribers;
        private readonly Emitter[] _emitters;
        private long _nowNs = 1;

        public History(ulong seed, int queueMax, bool mayRestart, long blockNs = 0)
        {
            _seed = seed;
            _random = new Random((int)seed);
            _mayRestart = mayRestart;
            _options = new GmsEventOptions { GraceNs = GraceNs, QueueEventsMax = queueMax, WindowEventsMax = 2, BlockNs = blockNs };
            _subscribers = [.. Enumerable.Range(1, 3).Select(n => new Subscriber(this, n))];
            _emitters = [.. Enumerable.Range(1, 2).Select(n => new Emitter(this, n))];
            Spaces = Start(isFirst: true);
        }

        public EventSpaces Spaces { get; private set; }

        /// <summary>Subscribers have emitters wait.</summary>
        public bool Blocks => _options.BlockNs > 0;

        public EventSpace Space => Spaces.Find(Shop)!;

        public long NowNs => _nowNs;

        /// <summary>What subscribers were told that they lost.</summary>
        public ulong Run()
        {
            for (int step = 0; step < Steps; step++)
            {
                Change();
            }

            for (int i = 0; i < 200; i++)
            {
                Tick();
                foreach (Subscriber subscriber in _subscribers)
                {
                    subscriber.Connect();
                    subscriber.Take(int.MaxValue);
                }

                foreach (Emitter emitter in _emitters)
                {
                    emitter.Resend();
                }
            }

            Check();
            return _subscribers.Aggregate(0UL, (sum, s) => sum + s.Told);
        }

        public void Fail(string what) => Assert.Fail($"seed {_seed}: {what}");

        public void Note(EventId id, long x, long y) => _book.AddRange(
            from subscriber in _subscribers
            from box in subscriber.Boxes
            where box.Value.Has(x, y)
            select new Expected(id, subscriber, box.Key));

        private static SpaceDefinition Read(string text)
        {
            Assert.True(SpaceText.TryRead(text, out AttributeSpace? space, out _));
            return new SpaceDefinition(text, space, 1);
        }

        private void Change()
        {
            Subscriber subscriber = _subscribers[_random.Next(_subscribers.Length)];
            Emitter emitter = _emitters[_random.Next(_emitters.Length)];
            switch (_random.Next(20))
            {
                case 0 or 1 when subscriber.Boxes.Count < 4:
                    subscriber.Subscribe(Square.Draw(_random));
                    break;
                case 2 when subscriber.Boxes.Count > 0 && _random.Next(3) == 0:
                    subscriber.Unsubscribe(subscriber.Boxes.Keys.ElementAt(_random.Next(subscriber.Boxes.Count)));
                    break;
                case 3 when _random.Next(2) == 0:
                    subscriber.Break();
                    break;
                case 4:
                    subscriber.Connect();
                    break;
                case 5 when _random.Next(3) == 0:
                    subscriber.ConnectInPart();
                    break;
                case 6:
                    emitter.Resend();
                    break;
                case 7 when _mayRestart && _random.Next(6) == 0:
                    Restart();
                    break;
                case 8 or 9:
                    Tick();
                    break;
                case 10 or 11 or 12 or 13:
                    subscriber.Take(_random.Next(4));
                    break;
                default:
                    emitter.Emit(_random.Next(100), _random.Next(100));
                    break;
            }
        }

        private void Tick()
        {
            _core.DoWork(_nowNs += StepNs);
            Spaces.OnTick();
            foreach (Subscriber subscriber in _subscribers.Where(s => _nowNs - s.BrokenNs > GraceNs / 2))
            {
                subscriber.Connect();
            }
        }

        private EventSpaces Start(bool isFirst)
        {
            var spaces = new EventSpaces(_core, _options, new GmsCounters());
            if (!isFirst)
            {
                spaces.OnStored(Shop);
            }

            spaces.OnDefinitions(Shop, ApplicationDefinitions.None with { Release = 1, Space = Definition });
            return spaces;
        }

        private void Restart()
        {
            Spaces = Start(isFirst: false);
            foreach (Subscriber subscriber in _subscribers)
            {
                subscriber.OnHostGone();
            }

            foreach (Emitter emitter in _emitters)
            {
                emitter.OnHostGone();
            }

            Tick();
        }

        private void Check()
        {
            foreach (Subscriber subscriber in _subscribers)
            {
                EventId[] missed =
                [
                    .. _book.Where(e => e.Subscriber == subscriber && subscriber.Boxes.ContainsKey(e.Box) && !subscriber.Saw(e.Id, e.Box))
                        .Select(e => e.Id)
                        .Distinct(),
                ];
                if ((ulong)missed.Length > subscriber.Told)
                {
                    Fail($"{subscriber.Key} missed {string.Join(", ", missed)}, and was told of {subscriber.Told}");
                }
            }

            Assert.All(_emitters, e => Assert.Equal(0, e.KeptCount));
            Assert.Equal((0, 0L), (Space.LiveCount, Spaces.Bytes));
            Assert.Equal(_subscribers.Sum(s => s.Boxes.Count), Space.BoxCount);
        }
    }

    private sealed record Square(int X, int Y, int Width)
    {
        public NamedRange[] Ranges { get; } =
        [
            new("x", AttributeValue.Integer(X), AttributeValue.Integer(X + Width)),
            new("y", AttributeValue.Integer(Y), AttributeValue.Integer(Y + Width)),
        ];

        public static Square Draw(Random random)
        {
            int width = 1 + random.Next(80);
            return new Square(random.Next(101 - width), random.Next(101 - width), width);
        }

        public bool Has(long x, long y) => x >= X && x < X + Width && y >= Y && y < Y + Width;
    }

    private sealed record Expected(EventId Id, Subscriber Subscriber, uint Box);
}
