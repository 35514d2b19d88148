using System.Globalization;
using Ripple.Engine.Memory;
using Ripple.Engine.Protocol;

namespace Ripple.Gms.Frontier;

/// <summary>
/// What all waits of a host cost together, in values of rows that one look at each of them reads: bounded for a connection, for a token,
/// for the tokens of an application and for the host. The same number bounds their memory and how many they are. Core thread.
/// </summary>
internal sealed class WaitLedger
{
    /// <summary>The most that the waits of one connection cost: some fifty of one operand over 10,000 members.</summary>
    public const long ConnectionCostMax = 1_048_576;

    /// <summary>The most that all waits cost; one token has half of it, the tokens of one application three quarters.</summary>
    public const long HostCostMax = 8 * ConnectionCostMax;

    /// <summary>What a wait costs at least, however little it reads: so many waits are possible at all, 4,096 on a host.</summary>
    public const long WaitCostMin = 2_048;

    /// <summary>A place of a member in a set of a predicate: in two lists, as bound and as counted.</summary>
    private const int PlaceBytes = 4 * sizeof(int);

    private readonly ShareLedger _shares = new(HostCostMax);

    public static void AddMemory(MemoryBudget budget) =>
        budget.Add(MemoryScope.Process, MemoryKind.Transient, "frontier: members in predicates of waits", HostCostMax, PlaceBytes);

    /// <summary>The sum of all costs.</summary>
    public long Cost => _shares.Sum;

    /// <summary>Takes the cost of a wait; null with the refusal if it is over one of the bounds.</summary>
    public Lease? TryTake(ShareOwner owner, WaitShare share, long cost, out Refusal? refusal)
    {
        cost = Math.Max(cost, WaitCostMin);
        refusal = cost > ConnectionCostMax
            ? new Refusal(
                ErrorCode.InvalidPredicate,
                Text($"The predicate reads up to {cost} values of members at a look, and {ConnectionCostMax} are allowed. ")
                    + "Name fewer sets, or ask for several waits of a part each.")
            : share.Cost + cost > ConnectionCostMax ? Busy("this connection", ConnectionCostMax)
            : _shares.Judge(owner, cost) switch
            {
                ShareBound.All => Busy("this host", HostCostMax),
                ShareBound.Token => Busy($"the token {owner.TokenId}", _shares.TokenMax),
                ShareBound.Application => Busy($"the tokens of '{owner.Application}'", _shares.ApplicationMax),
                _ => null,
            };
        if (refusal is not null)
        {
            return null;
        }

        var lease = new Lease(this, owner, share);
        lease.Change(cost);
        return lease;
    }

    private static Refusal Busy(string whose, long max) => new(
        ErrorCode.Busy,
        Text($"The waits of {whose} would read more than {max} values of members at a look. End some first, or name fewer sets in each."));

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);

    /// <summary>The cost of one wait, until disposed of.</summary>
    internal sealed class Lease(WaitLedger ledger, ShareOwner owner, WaitShare share) : IDisposable
    {
        private long _cost;

        /// <summary>Replaces what was taken: what a wait costs is known exactly when it is bound.</summary>
        public void Change(long cost) => Set(Math.Max(cost, WaitCostMin));

        /// <inheritdoc/>
        public void Dispose() => Set(0);

        private void Set(long cost)
        {
            long more = cost - _cost;
            _cost = cost;
            share.Cost += more;
            ledger._shares.Add(owner, more);
        }
    }
}

/// <summary>What the waits of one connection, or of one request over HTTP, cost together. Core thread.</summary>
internal sealed class WaitShare
{
    /// <summary>The sum of their costs, in values of rows a look.</summary>
    public long Cost { get; internal set; }
}
