using System.Globalization;
using Ripple.Engine.Core;
using Ripple.Engine.Memory;
using Ripple.Engine.Protocol;

namespace Ripple.Gms.Calls;

/// <summary>
/// The shares of connections, tokens and applications in what callers may ask for: reads in progress, and core time per second. What is
/// over a share is counted, and told once in a while. Core thread.
/// </summary>
internal sealed class CallBudget(CoreLoop core, CallLimits limits, GmsCounters counters, GmsEvents events)
{
    /// <summary>The shortest time between two events about the same connection, token or application.</summary>
    public const long TellNs = 10_000_000_000;

    /// <summary>Approximate memory of a connection's share, and of its token's and application's if it is the only one.</summary>
    private const int ShareBytes = 1_024;

    private static readonly Refusal TooMany = new(
        ErrorCode.Busy,
        "Too many reads are in progress on this connection, with this token or others of its application, or on this host. "
            + "Wait for answers first.");

    private readonly CoreLoop _core = core;
    private readonly GmsCounters _counters = counters;
    private readonly CallLimits _limits = limits;
    private readonly ShareLedger _reads = new(limits.ReadsMax);
    private readonly SortedDictionary<string, Spender> _tokens = new(StringComparer.Ordinal);
    private readonly SortedDictionary<string, Spender> _applications = new(StringComparer.Ordinal);
    private readonly Queue<(SortedDictionary<string, Spender> Of, string Key)> _leaving = [];

    public static void AddMemory(MemoryBudget budget) =>
        budget.Add(MemoryScope.Connection, MemoryKind.Fixed, "calls: a connection's share", 1, ShareBytes);

    /// <summary>Reads in progress, over all connections.</summary>
    public int ReadCount => (int)_reads.Sum;

    /// <summary>Tokens that are known: those with a connection, and those that have not got back what they spent.</summary>
    public int TokenCount => _tokens.Count;

    /// <summary>The core time that a token has left for its frames, for checkers.</summary>
    public long FrameNsLeft(string tokenId) => _tokens.TryGetValue(tokenId, out Spender? token) ? token.Frames.LeftNs : long.MaxValue;

    /// <summary>The share of a new connection; dispose of it when the connection is gone.</summary>
    /// <param name="owner">Its token.</param>
    /// <param name="name">Who it is, for events: the node.</param>
    public Share Open(ShareOwner owner, string name)
    {
        Spender[] shared = [.. SharedOf(owner)];
        foreach (Spender spender in shared)
        {
            spender.HolderCount++;
        }

        return new Share(this, owner, name, shared);
    }

    /// <summary>Takes core time for a request that comes by no connection of the control channel; null, or the refusal.</summary>
    public Refusal? TryTake(ShareOwner owner, long costNs)
    {
        Spender[] shared = [.. SharedOf(owner)];
        Refusal? refusal = TryTake(shared, $"the token {owner.TokenId}", owner, costNs);
        Forget(owner);
        return refusal;
    }

    /// <summary>Called a few times per second: forgets who has spent nothing for a while.</summary>
    public void OnTick()
    {
        long nowNs = _core.NowNs;
        for (int count = _leaving.Count; count > 0; count--)
        {
            (SortedDictionary<string, Spender> of, string key) = _leaving.Dequeue();
            Spender spender = of[key];
            if (spender.HolderCount > 0)
            {
                spender.IsLeaving = false;
            }
            else if (spender.IsRested(nowNs))
            {
                of.Remove(key);
            }
            else
            {
                _leaving.Enqueue((of, key));
            }
        }
    }

    private IEnumerable<Spender> SharedOf(ShareOwner owner)
    {
        yield return Find(_tokens, owner.TokenId, $"the token {owner.TokenId}", _limits.Token);
        if (owner.Application is { } application)
        {
            yield return Find(_applications, application, $"the tokens of the application '{application}'", _limits.Application);
        }
    }

    private Spender Find(SortedDictionary<string, Spender> of, string key, string name, SpendingLimits limits)
    {
        if (!of.TryGetValue(key, out Spender? spender))
        {
            spender = new Spender(name, limits, _limits.SecondsKept, _core.NowNs);
            of.Add(key, spender);
        }

        return spender;
    }

    private void Forget(ShareOwner owner)
    {
        Forget(_tokens, owner.TokenId);
        if (owner.Application is { } application)
        {
            Forget(_applications, application);
        }
    }

    private void Forget(SortedDictionary<string, Spender> of, string key)
    {
        Spender spender = of[key];
        if (spender.HolderCount == 0 && !spender.IsLeaving)
        {
            // Not at once: who comes again would have all of its share again.
            spender.IsLeaving = true;
            _leaving.Enqueue((of, key));
        }
    }

    private Refusal? TryTake(Spender[] spenders, string who, ShareOwner owner, long costNs)
    {
        long nowNs = _core.NowNs;
        foreach (Spender spender in spenders)
        {
            if (!spender.Calls.HasSome(nowNs))
            {
                _counters.CallsRefused++;
                Tell(spender, who, owner, $"more than the share of {spender.Name} in the core's time for calls");
                return new Refusal(ErrorCode.Busy, $"More is asked for than {spender.Name} may ask for per second. Ask less often.");
            }
        }

        foreach (Spender spender in spenders)
        {
            spender.Calls.Take(nowNs, costNs);
        }

        return null;
    }

    private void Tell(Spender spender, string who, ShareOwner owner, string what)
    {
        spender.UntoldCount++;
        if (spender.ToldNs is { } told && _core.NowNs - told < TellNs)
        {
            return;
        }

        string detail = string.Create(
            CultureInfo.InvariantCulture, $"{what}; token {owner.TokenId}; {spender.UntoldCount} since this was last told");
        events.Post(GmsEventKind.Refused, who, detail);
        spender.ToldNs = _core.NowNs;
        spender.UntoldCount = 0;
    }

    /// <summary>One connection's share.</summary>
    internal sealed class Share : IDisposable
    {
        private readonly CallBudget _budget;
        private readonly ShareOwner _owner;
        private readonly string _name;
        private readonly Spender _own;
        private readonly Spender[] _spenders;
        private bool _isClosed;

        internal Share(CallBudget budget, ShareOwner owner, string name, Spender[] shared)
        {
            _budget = budget;
            _owner = owner;
            _name = name;
            _own = new Spender("one connection", budget._limits.Connection, budget._limits.SecondsKept, budget._core.NowNs);
            _spenders = [_own, .. shared];
        }

        /// <summary>Who holds it: what else it asks for is counted for the same.</summary>
        public ShareOwner Owner => _owner;

        /// <summary>Reads of this connection in progress.</summary>
        public int ReadCount { get; private set; }

        /// <summary>Takes core time for a call; null if there is some, else the refusal.</summary>
        public Refusal? TryTake(long costNs)
        {
            Refusal? refusal = _budget.TryTake(_spenders, _name, _owner, costNs);
            if (refusal is null)
            {
                // The connection's next frames wait for it: what is kept for calls would else be spent at once, and hold up all.
                _own.Frames.Take(_budget._core.NowNs, costNs);
            }

            return refusal;
        }

        /// <summary>Takes core time for a frame that came; there may be none left.</summary>
        public void TakeForFrame(long costNs)
        {
            long nowNs = _budget._core.NowNs;
            foreach (Spender spender in _spenders)
            {
                spender.Frames.Take(nowNs, costNs);
            }
        }

        /// <summary>
        /// True if the next frame may be taken now; else it is to wait, which is counted and told if <paramref name="isNew"/>.
        /// </summary>
        public bool MayTakeFrames(bool isNew)
        {
            long nowNs = _budget._core.NowNs;
            foreach (Spender spender in _spenders)
            {
                if (!spender.Frames.HasSome(nowNs))
                {
                    if (isNew)
                    {
                        _budget._counters.FramesHeld++;
                        _budget.Tell(spender, _name, _owner, $"more frames than the share of {spender.Name}; they wait");
                    }

                    return false;
                }
            }

            return true;
        }

        /// <summary>
        /// True if the connection itself has core time left. For what a member needs whatever others do with the same token.
        /// </summary>
        public bool HasOwn() => _own.Calls.HasSome(_budget._core.NowNs);

        /// <summary>Takes core time of the connection alone.</summary>
        public void TakeOwn(long costNs) => _own.Calls.Take(_budget._core.NowNs, costNs);

        /// <summary>Counts and tells that something else was refused as too much; returns the refusal.</summary>
        public Refusal OnBusy(Refusal refusal)
        {
            _budget._counters.CallsRefused++;
            _budget.Tell(_own, _name, _owner, $"more than its share: {refusal.Text}");
            return refusal;
        }

        /// <summary>Tells that something of this connection was refused, once in a while.</summary>
        public void Tell(string what) => _budget.Tell(_own, _name, _owner, what);

        /// <summary>Takes a place for a read, and core time; null with a refusal if there is none.</summary>
        public IDisposable? TryRead(long costNs, out Refusal? refusal)
        {
            if (ReadCount >= _budget._limits.ReadsPerConnectionMax || _budget._reads.Judge(_owner, 1) != ShareBound.None)
            {
                refusal = OnBusy(TooMany);
                return null;
            }

            refusal = TryTake(costNs);
            if (refusal is not null)
            {
                return null;
            }

            ReadCount++;
            _budget._reads.Add(_owner, 1);
            return new Place(this);
        }

        /// <summary>Called when the connection is gone; its reads return their places when they end.</summary>
        public void Dispose()
        {
            if (_isClosed)
            {
                return;
            }

            _isClosed = true;
            foreach (Spender spender in _spenders)
            {
                spender.HolderCount--;
            }

            _budget.Forget(_owner);
        }

        private void Return()
        {
            ReadCount--;
            _budget._reads.Add(_owner, -1);
        }

        private sealed class Place(Share share) : IDisposable
        {
            private Share? _share = share;

            public void Dispose()
            {
                _share?.Return();
                _share = null;
            }
        }
    }
}

/// <summary>
/// What a connection, a token, or the tokens of one application may spend of the core: for calls, which are refused beyond it, and for all
/// frames, which wait beyond it. Core thread.
/// </summary>
/// <param name="name">Who that is, in words.</param>
/// <param name="limits">What it may spend.</param>
/// <param name="secondsKept">The seconds of unused time for calls that it keeps.</param>
/// <param name="nowNs">The core's time.</param>
internal sealed class Spender(string name, SpendingLimits limits, int secondsKept, long nowNs)
{
    // Fields: the methods of a mutable struct in a property would act on a copy.
    public CallRate Calls = new(limits.CallNsPerSecond, limits.CallNsPerSecond * secondsKept, nowNs);
    public CallRate Frames = new(limits.FrameNsPerSecond, limits.FrameNsMax, nowNs);

    /// <summary>Who it is, in words: "the token x".</summary>
    public string Name { get; } = name;

    /// <summary>Connections and requests that spend from it; it is forgotten some time after the last.</summary>
    public int HolderCount { get; set; }

    /// <summary>True while it stands among those to be forgotten.</summary>
    public bool IsLeaving { get; set; }

    /// <summary>When it was last told that it spent more than its share; null for never.</summary>
    public long? ToldNs { get; set; }

    /// <summary>What was refused or made to wait since then.</summary>
    public long UntoldCount { get; set; }

    /// <summary>True when forgetting it gives nobody more than it had.</summary>
    public bool IsRested(long nowNs) => Calls.IsFull(nowNs) & Frames.IsFull(nowNs);
}

/// <summary>Core time that may be used: grows with time up to a maximum, and is taken by calls.</summary>
internal struct CallRate(long nsPerSecond, long maxNs, long nowNs)
{
    private const long SecondNs = 1_000_000_000;

    private readonly long _maxNs = maxNs;
    private long _leftNs = maxNs;
    private long _countedNs = nowNs;

    /// <summary>What was left when it was last looked at; below 0 it is a debt.</summary>
    public readonly long LeftNs => _leftNs;

    /// <summary>True if a call may take place now: the last one may leave a debt, which time pays.</summary>
    public bool HasSome(long nowNs)
    {
        Count(nowNs);
        return _leftNs > 0;
    }

    /// <summary>True if all that may be kept is there: whoever has used nothing for a while has as much.</summary>
    public bool IsFull(long nowNs)
    {
        Count(nowNs);
        return _leftNs == _maxNs;
    }

    /// <summary>Takes what was used; there may be a debt afterwards.</summary>
    public void Take(long nowNs, long costNs)
    {
        Count(nowNs);
        _leftNs -= costNs;
    }

    private void Count(long nowNs)
    {
        // A long pause fills it, and its product is larger than a long.
        _leftNs = (long)Int128.Min(_maxNs, _leftNs + ((Int128)(nowNs - _countedNs) * nsPerSecond / SecondNs));
        _countedNs = nowNs;
    }
}
