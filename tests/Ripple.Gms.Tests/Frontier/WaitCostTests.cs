using System.Globalization;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Protocol.Evidence;
using Ripple.Engine.Releases;
using Ripple.Gms.Frontier;
using Ripple.Gms.Tests.Sessions;

namespace Ripple.Gms.Tests.Frontier;

/// <summary>What waits may cost the core of a host, counted in values of rows that are read.</summary>
public sealed class WaitCostTests
{
    private const int MembersCount = 300;
    private const int OperandsCount = 310;
    private const int Releases = 4;

    /// <summary>One operand over all members, and the members once more to count who has it; the host itself is one.</summary>
    private const long WaitCost = ((OperandsCount + 1) * MembersCount) + 1;

    private static readonly ShareOwner Owner = new("t", null);

    private readonly HostRig _rig = new();
    private readonly NodeRig[] _members;

    public WaitCostTests()
    {
        _members = [.. Enumerable.Range(1, MembersCount).Select(i => _rig.Connect(i))];
        Array.ForEach(_members, m => m.Send(m.JoinMessage));
        _rig.Run(20 * HostRig.MillisecondNs);
        for (int i = 0; i < Releases; i++)
        {
            _rig.Publish();
        }
    }

    [Fact]
    public void Many_reports_cost_the_waits_no_more_than_the_budget_of_the_time_in_which_they_come()
    {
        NodeRig asker = AskMany(256);
        int admitted = 256 - asker.All<WaitResult>().Count();
        Assert.InRange(admitted, 1, (int)(WaitLedger.ConnectionCostMax / WaitCost));

        // None of these has the release that is waited for.
        long beganAt = _rig.ValuesRead();
        int reports = Report(939);
        Assert.Equal(939, reports);
        _rig.Deliver();
        _rig.Run(20 * HostRig.MillisecondNs);
        Assert.Equal(beganAt, _rig.ValuesRead());

        // All of these have it. They come in one turn of the core: it has one budget, and a wait is looked at whole.
        beganAt = _rig.ValuesRead();
        ReportNewest(MembersCount - 1);
        _rig.Deliver();
        Assert.InRange(_rig.ValuesRead() - beganAt, 1, EvaluationBudget.ValuesMax + (2 * WaitCost));
        for (int turn = 0; turn < 50; turn++)
        {
            long before = _rig.ValuesRead();
            _rig.Run(2 * HostRig.MillisecondNs);
            Assert.InRange(_rig.ValuesRead() - before, 0, (2 * EvaluationBudget.ValuesMax) + (2 * WaitCost));
        }

        // Who has it was counted, and no operand was read for it that was not short.
        Assert.InRange(_rig.ValuesRead() - beganAt, admitted * MembersCount, 4 * EvaluationBudget.ValuesMax);
        long settled = _rig.ValuesRead();
        _rig.Run(20 * HostRig.MillisecondNs);
        Assert.Equal(settled, _rig.ValuesRead());
        _members[^1].Send(new Report([new LevelRow(HostRig.ShopTopic, 1, Releases, Releases, Releases)], []));
        _rig.Run(50 * HostRig.MillisecondNs);
        Assert.Equal(admitted, asker.All<WaitResult>().Count(r => r.Code == ErrorCode.None && r.Outcome == 0));
    }

    [Fact]
    public void Waits_of_one_application_do_not_hold_up_those_of_another()
    {
        AskMany(256);
        NodeRig other = _rig.Join(1_000, application: HostRig.Cart);
        _rig.Publish(HostRig.Cart, ("a.bin", [1]));
        other.Send(new Wait(1, HostRig.Cart, 0, 1, "MIN($ALL.applied)", 0, CountLeft: false));
        _rig.Run(2 * HostRig.MillisecondNs);
        // Each wait looks at all it reads, to see what still can be.
        _members[100].Send(new Report([], [new RejectionRow(HostRig.ShopTopic, 1, Releases, "not a number")]));
        _rig.Run(6 * HostRig.MillisecondNs);
        other.Send(new Report([new LevelRow(HostRig.CartTopic, 1, 1, 1, 1)], []));
        // The debt of what was evaluated whole is paid back first.
        _rig.Run(5 * HostRig.MillisecondNs);
        Assert.Equal(0, other.Only<WaitResult>().Outcome);
        long before = _rig.ValuesRead();
        _rig.Run(4 * HostRig.MillisecondNs);
        Assert.True(_rig.ValuesRead() > before, "There was nothing left to do: that shows nothing.");
    }

    [Fact]
    public void Members_that_go_together_are_one_look()
    {
        AskMany(8);
        _rig.Run(20 * HostRig.MillisecondNs);
        long beganAt = _rig.ValuesRead();
        for (int i = 100; i < MembersCount; i++)
        {
            _members[i].Break("the switch failed");
        }

        _rig.Run(60 * HostRig.MillisecondNs);
        // Each wait looks what holds; the sets are written anew, and the members counted and asked what still can be: not 200 times.
        Assert.InRange(_rig.ValuesRead() - beganAt, 8 * MembersCount, 8 * 8 * MembersCount);
    }

    [Fact]
    public void A_rejection_that_is_repeated_is_not_looked_at_again()
    {
        NodeRig asker = AskMany(8);
        asker.Send(new Wait(100, HostRig.Shop, 0, Releases, "MAX($ALL.applied)", 0, CountLeft: false));
        _rig.Run(50 * HostRig.MillisecondNs);
        long began = _rig.ValuesRead();
        var report = new Report([], [new RejectionRow(HostRig.ShopTopic, 1, Releases, "not a number")]);
        _members[5].Send(report);
        _rig.Run(50 * HostRig.MillisecondNs);
        long settled = _rig.ValuesRead();
        Assert.NotEqual(began, settled);
        for (int i = 0; i < 100; i++)
        {
            _members[5].Send(report);
        }

        _rig.Run(50 * HostRig.MillisecondNs);
        Assert.Equal(settled, _rig.ValuesRead());
    }

    [Fact]
    public void What_the_waits_of_one_connection_cost_is_bounded_and_room_comes_back_when_they_end()
    {
        NodeRig asker = AskMany(256);
        WaitResult[] refused = [.. asker.All<WaitResult>()];
        Assert.NotEmpty(refused);
        Assert.All(refused, r => Assert.Equal(
            (ErrorCode.Busy,
            "The waits of this connection would read more than 1048576 values of members at a look. "
                + "End some first, or name fewer sets in each."),
            (r.Code, r.Text)));
        asker.Forget();
        for (uint call = 0; call < 256; call++)
        {
            asker.Send(new WaitCancel(call));
        }

        Ask(asker, 300, 0);
        _rig.Run(20 * HostRig.MillisecondNs);
        Assert.Empty(asker.All<WaitResult>());
    }

    [Fact]
    public void The_waits_of_a_token_over_all_its_connections_are_bounded()
    {
        NodeRig[] askers = [.. Enumerable.Range(0, 5).Select(i => AskMany(16, 2_000 + i))];
        Assert.Contains(
            askers[4].All<WaitResult>(),
            r => r.Code == ErrorCode.Busy && r.Text.StartsWith("The waits of the token nodes would read", StringComparison.Ordinal));
    }

    [Fact]
    public void A_predicate_that_is_too_much_by_itself_is_told_so()
    {
        var ledger = new WaitLedger();
        var share = new WaitShare();
        Assert.Null(ledger.TryTake(Owner, share, WaitLedger.ConnectionCostMax + 1, out Refusal? refusal));
        Assert.Equal(ErrorCode.InvalidPredicate, refusal!.Code);
        WaitLedger.Lease lease = ledger.TryTake(Owner, share, WaitLedger.ConnectionCostMax, out refusal)!;
        Assert.Equal(WaitLedger.ConnectionCostMax, ledger.Cost);
        lease.Change(7);
        // However little it reads, so many and no more are possible.
        Assert.Equal((WaitLedger.WaitCostMin, WaitLedger.WaitCostMin), (ledger.Cost, share.Cost));
        lease.Dispose();
        lease.Dispose();
        Assert.Equal((0, 0), (ledger.Cost, share.Cost));
        for (int i = 0; i < 8; i++)
        {
            Assert.NotNull(ledger.TryTake(new ShareOwner($"{i}", null), new WaitShare(), WaitLedger.ConnectionCostMax, out _));
        }

        Assert.Null(ledger.TryTake(new ShareOwner("one more", null), new WaitShare(), 1, out refusal));
        Assert.StartsWith("The waits of this host would read", refusal!.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void Tokens_of_one_application_leave_a_quarter_to_others_and_each_has_so_many_waits()
    {
        var ledger = new WaitLedger();
        for (int i = 0; i < 6; i++)
        {
            Assert.NotNull(ledger.TryTake(new ShareOwner($"{i}", "shop"), new WaitShare(), WaitLedger.ConnectionCostMax, out _));
        }

        Assert.Null(ledger.TryTake(new ShareOwner("more", "shop"), new WaitShare(), WaitLedger.ConnectionCostMax, out _));
        // One that holds nothing in an application that holds its share: a wait is small, and still one too many.
        Assert.Null(ledger.TryTake(new ShareOwner("more", "shop"), new WaitShare(), 1, out Refusal? refusal));
        Assert.StartsWith("The waits of the tokens of 'shop' would read", refusal!.Text, StringComparison.Ordinal);
        Assert.NotNull(ledger.TryTake(new ShareOwner("other", "other"), new WaitShare(), 1, out _));

        var many = new WaitLedger();
        int begun = 0;
        while (many.TryTake(new ShareOwner("t", "shop"), new WaitShare(), 1, out _) is not null)
        {
            begun++;
        }

        Assert.Equal(2_048, begun);
    }

    /// <summary>A connection that does not join, and asks so many waits for the newest release, each with another text.</summary>
    private NodeRig AskMany(int count, int number = 2_000)
    {
        NodeRig asker = _rig.Connect(number);
        for (uint call = 0; call < count; call++)
        {
            Ask(asker, call, call);
            _rig.Deliver();
        }

        _rig.Run(100 * HostRig.MillisecondNs);
        return asker;
    }

    private static void Ask(NodeRig asker, uint call, uint spaces)
    {
        // Other spaces, another text: no two share their evaluation.
        string operands = string.Join(',', Enumerable.Repeat("$ALL.applied", OperandsCount));
        string text = string.Create(CultureInfo.InvariantCulture, $"MIN({new string(' ', (int)spaces % 40)}{operands})");
        Assert.True(text.Length <= 4_096);
        asker.Send(new Wait(call, HostRig.Shop, 0, Releases, text, 0, CountLeft: false));
    }

    /// <summary>So many members have the newest release, and say so.</summary>
    private void ReportNewest(int count)
    {
        for (int i = 0; i < count; i++)
        {
            _members[i].Send(new Report([new LevelRow(HostRig.ShopTopic, 1, Releases, Releases, Releases)], []));
        }
    }

    /// <summary>So many reports, each of a level that its member has grown by one since; none has the newest release.</summary>
    private int Report(int count)
    {
        int reports = 0;
        for (ulong step = 1; reports < count; step++)
        {
            ulong applied = step / 3;
            for (int i = 0; i < MembersCount && reports < count; i++, reports++)
            {
                ulong received = Math.Min(Releases, (step + 2) / 3);
                ulong persisted = Math.Min(Releases, (step + 1) / 3);
                _members[i].Send(new Report([new LevelRow(HostRig.ShopTopic, 1, received, persisted, Math.Min(applied, 3))], []));
            }
        }

        return reports;
    }
}
