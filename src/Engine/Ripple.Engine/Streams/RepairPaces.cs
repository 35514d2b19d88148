using Ripple.Engine.Core;
using Ripple.Engine.Memory;

namespace Ripple.Engine.Streams;

/// <summary>
/// Paces the repairs of members that lose repairs, each by itself: what a member asks for again was lost. A request that tells of much loss
/// lowers its rate at once, and two report delays without one raise it. Who loses nothing is not paced here. Bounded: where more members
/// than there is room for are sent repairs within a second, the others are not paced.
/// </summary>
/// <remarks>
/// The rate of packets cannot take this over: while a window is full hardly any packets leave, so that their rounds do not end.
/// See docs/design/streams.md, Pace.
/// </remarks>
internal sealed class RepairPaces
{
    public const int MembersMax = 16;

    // What repairs met before a pause as long as this says nothing of now: twice the longest time between two requests.
    private const long ForgetNs = 1_000_000_000;
    private const long RoundNsMin = 5_000_000;
    private const long RoundNsMax = 50_000_000;
    private const int LostMin = 8;
    private const int CutLossDivisor = 16;
    private const int RaiseShift = 3;
    private readonly Pace[] _paces = new Pace[MembersMax];
    private readonly StreamOptions _options;

    /// <summary>Makes one that paces nobody.</summary>
    /// <param name="options">Rates.</param>
    public RepairPaces(StreamOptions options)
    {
        _options = options;
        for (int i = 0; i < _paces.Length; i++)
        {
            _paces[i] = new Pace(new RateLimiter(options.PaceStartBytesPerSecond, options.PaceBurstBytes));
        }
    }

    public static void AddMemory(MemoryBudget budget) =>
        budget.Add<Pace>(MemoryScope.Region, MemoryKind.Fixed, "stream: members that lose repairs", MembersMax);

    /// <summary>Whether a member may be sent a repair now; where not, lowers the time to when it may, if that is sooner.</summary>
    public bool IsOpen(in NodeAddress member, long nowNs, ref long opensAtNs)
    {
        ref Pace pace = ref Find(member, nowNs, mayAdd: false, out bool isFound);
        if (!isFound || !pace.IsLimited || pace.Limiter.IsOpen(nowNs))
        {
            return true;
        }

        pace.WasPaced = true;
        opensAtNs = Math.Min(opensAtNs, pace.Limiter.OpensAtNs);
        return false;
    }

    /// <summary>A repair was sent to a member. Its number among the member's, from 1; 0 where there is no room for the member.</summary>
    public ulong OnSent(in NodeAddress member, int bytes, long nowNs)
    {
        ref Pace pace = ref Find(member, nowNs, mayAdd: true, out bool isFound);
        if (!isFound)
        {
            return 0;
        }

        pace.LastNs = nowNs;
        pace.Sent++;
        if (pace.IsLimited)
        {
            pace.Limiter.Take(bytes, nowNs);
            if (nowNs - pace.RoundNs >= Math.Clamp(2 * pace.DelayNs, RoundNsMin, RoundNsMax))
            {
                Raise(ref pace, nowNs);
            }
        }

        return pace.Sent;
    }

    /// <summary>A request told that repairs of a member were lost.</summary>
    /// <param name="member">The member.</param>
    /// <param name="lost">Which.</param>
    /// <param name="bytesPerSecond">The rate of repairs to those that are not paced.</param>
    /// <param name="nowNs">The time.</param>
    public void OnLost(in NodeAddress member, in LostRepairs lost, long bytesPerSecond, long nowNs)
    {
        ref Pace pace = ref Find(member, nowNs, mayAdd: false, out bool isFound);
        if (!isFound || lost.Last > pace.Sent)
        {
            return;
        }

        long delayNs = nowNs - lost.LastSentNs;
        pace.DelayNs = pace.DelayNs == 0 ? delayNs : pace.DelayNs + ((delayNs - pace.DelayNs) / 8);
        long sent = (long)(lost.Last - lost.First + 1);
        if (lost.Last <= pace.SettledUpTo || lost.Count < LostMin || lost.Count * CutLossDivisor < sent)
        {
            return;
        }

        // What left before the cut was too fast already, and does not count again.
        long before = pace.IsLimited ? Math.Min(pace.Limiter.BytesPerSecond, bytesPerSecond) : bytesPerSecond;
        long arrived = before / sent * Math.Max(0, sent - lost.Count);
        long rate = Math.Max(_options.PaceMinBytesPerSecond, Math.Max(before / 4, arrived / 8 * 7));
        pace.Limiter.SetRate(Math.Min(before, rate), nowNs);
        pace.IsLimited = true;
        pace.SettledUpTo = pace.Sent;
        pace.RoundNs = nowNs;
        pace.WasPaced = false;
    }

    private static void Raise(ref Pace pace, long nowNs)
    {
        if (pace.WasPaced)
        {
            pace.Limiter.SetRate(pace.Limiter.BytesPerSecond + (pace.Limiter.BytesPerSecond >> RaiseShift), nowNs);
        }

        pace.RoundNs = nowNs;
        pace.WasPaced = false;
    }

    /// <summary>The pace of a member; a place of one that was sent nothing for a second, where it may be added.</summary>
    private ref Pace Find(in NodeAddress member, long nowNs, bool mayAdd, out bool isFound)
    {
        int free = -1;
        for (int i = 0; i < _paces.Length; i++)
        {
            bool isOver = _paces[i].Sent == 0 || nowNs - _paces[i].LastNs > ForgetNs;
            if (!isOver && _paces[i].Member == member)
            {
                isFound = true;
                return ref _paces[i];
            }

            free = isOver ? i : free;
        }

        isFound = mayAdd && free >= 0;
        ref Pace pace = ref _paces[Math.Max(free, 0)];
        if (isFound)
        {
            pace = new Pace(pace.Limiter) { Member = member };
        }

        return ref pace;
    }

    private struct Pace(RateLimiter limiter)
    {
        public readonly RateLimiter Limiter = limiter;
        public NodeAddress Member;
        public ulong Sent;
        public ulong SettledUpTo;
        public long LastNs;
        public long DelayNs;
        public long RoundNs;
        public bool IsLimited;
        public bool WasPaced;
    }
}

/// <summary>The repairs that one request tells to be lost: how many, their first and last numbers, and when the last was sent.</summary>
internal record struct LostRepairs(int Count, ulong First, ulong Last, long LastSentNs)
{
    /// <summary>Adds one.</summary>
    public void Add(ulong number, long sentNs)
    {
        First = Count == 0 ? number : Math.Min(First, number);
        (Last, LastSentNs) = number > Last ? (number, sentNs) : (Last, LastSentNs);
        Count++;
    }
}
