using Ripple.Engine.Core;

namespace Ripple.Engine.Rings;

/// <summary>
/// Runs the rounds of a ring: started on change, one in flight, abandoned when it does not return. The first member of a part leads. The
/// second and third lead when something changed at them and no token came for a while, and stand down when one comes of a member before
/// them. Idle in members that do not lead.
/// </summary>
internal sealed class RingLeader
{
    /// <summary>Each token of who leads takes one part of so many from the patience beyond the shortest.</summary>
    private const int PatienceTokens = 16;

    private readonly RingContext _context;
    private readonly RingTokenHolder _holder;
    private readonly AggregateOutbox _outbox;
    private readonly LeaderTable _table = new();
    private readonly SilentGrace _grace;
    private readonly RoundScheduler _scheduler;
    private readonly QuietRounds _quiet;
    private readonly Alarm _alarm;
    private ulong _round;
    private ulong _highestSeen;
    private bool _isInFlight;
    private bool _hasChanged;
    private bool _isFirstAfterChange;
    private ulong _packets;
    private long _leadAfterNs;
    private long _startedNs;
    private long _dueNs;
    private long _unreadSinceNs = long.MaxValue;
    private long _endedNs;
    private long _putOffToNs = long.MaxValue;

    public RingLeader(RingContext context)
    {
        _context = context;
        _holder = new RingTokenHolder(context, Complete);
        _outbox = new AggregateOutbox(context);
        _grace = new SilentGrace(context.Options);
        _scheduler = new RoundScheduler(context.Options);
        _quiet = new QuietRounds(context.Options);
        _alarm = new Alarm(OnAlarm);
    }

    public RingTokenHolder Holder => _holder;

    public AggregateOutbox Outbox => _outbox;

    /// <summary>The round that this member leads now; 0 while none is under way.</summary>
    public ulong RoundUnderWay => _isInFlight ? _round : 0;

    /// <summary>True while this member starts the rounds of its ring.</summary>
    public bool Leads { get; private set; }

    public void OnView(NodeAddress senderControlAddress)
    {
        bool hasLed = Leads;
        Cancel();
        Leads = _context.MayLead && _context.Rank == 0;
        _holder.OnView();
        _outbox.OnView(senderControlAddress);
        _table.OnView(Math.Max(0, _context.Position), _context.Part.End, isLeading: hasLed && Leads);
        _grace.Clear();
        _quiet.Clear(isAllowed: _context.View!.PartMembers > 0);
        _round = 0;
        _highestSeen = 0;
        _hasChanged = false;
        _isFirstAfterChange = false;
        _packets = 0;
        _putOffToNs = long.MaxValue;
        _unreadSinceNs = long.MaxValue;
        _leadAfterNs = _context.Options.LeadAfterNs;
        if (Leads)
        {
            _scheduler.OnChange(_context.Core.NowNs);
            _context.Core.ScheduleIn(_alarm, _context.Options.PauseMinNs);
        }
    }

    public void Cancel()
    {
        Leads = false;
        _isInFlight = false;
        _context.Core.Alarms.Cancel(_alarm);
        _outbox.Cancel();
        _holder.Drop();
    }

    /// <summary>A token of a member before this one came: it leads.</summary>
    public void OnLed(ulong round)
    {
        _highestSeen = Math.Max(_highestSeen, round);
        _unreadSinceNs = long.MaxValue;
        if (Leads)
        {
            Cancel();
            _leadAfterNs = Math.Min(2 * _leadAfterNs, _context.Options.LeadAfterMaxNs);
        }
        else if (_context.MayLead)
        {
            // What made it patient passes: in a view that has lasted for days a leader is to be replaced as soon as in a new one.
            _leadAfterNs -= (_leadAfterNs - _context.Options.LeadAfterNs) / PatienceTokens;
            // Who leads turns once a second at least, so that who is gone is missed.
            _context.Core.ScheduleIn(_alarm, _context.Options.IdleNs + (_context.Rank * _leadAfterNs));
        }
    }

    /// <summary>
    /// A member has seen a round. If it is newer than this member's, or led in its place, this one's gets no further: it starts over above
    /// both.
    /// </summary>
    public void OnRoundSeen(ulong round)
    {
        _highestSeen = Math.Max(_highestSeen, round);
        if (Leads && (round > _round || RoundNumber.RankOf(round, _context.View!) > _context.Rank))
        {
            _isInFlight = false;
            _holder.Drop();
            _context.Core.ScheduleIn(_alarm, _context.Options.PauseMinNs);
        }
    }

    /// <summary>A level or rejection of this member changed.</summary>
    public void OnChanged()
    {
        if (!Leads)
        {
            // The next token takes it along. If none comes, who leads is gone, or does not know that there is something to tell.
            if (_context.MayLead)
            {
                _context.Core.Alarms.ScheduleNoLater(_alarm, _context.Core.NowNs + (_context.Rank * _leadAfterNs));
            }

            return;
        }

        if (_isInFlight)
        {
            _hasChanged = true;
            return;
        }

        long nowNs = _context.Core.NowNs;
        _scheduler.OnChange(nowNs);
        _isFirstAfterChange = true;
        long settledNs = nowNs + Math.Max(_scheduler.SettleNs, _context.SweepNs);
        _context.Core.Alarms.ScheduleNoLater(_alarm, Math.Max(settledNs, _endedNs + _context.Options.PauseMinNs));
    }

    /// <summary>A stream advanced at the leader itself.</summary>
    public void OnStreamProgress(ulong packets)
    {
        ulong before = _packets;
        _packets += packets;
        if (_isInFlight || !Leads)
        {
            return;
        }

        // Called for every packet; only the first one, and the one that reaches the limit, have an effect.
        ulong many = (ulong)_context.Options.RoundPacketsMax;
        long nowNs = _context.Core.NowNs;
        if (before == 0)
        {
            _scheduler.OnChange(nowNs);
            _context.Core.Alarms.ScheduleNoLater(_alarm, nowNs + _scheduler.StreamPauseNs);
        }

        if (before < many && _packets >= many)
        {
            _context.Core.Alarms.ScheduleNoLater(_alarm, Math.Max(nowNs, _endedNs + _scheduler.ShortestPauseNs));
        }
    }

    /// <summary>Handles a token that returned, or one that this leader did not send. True when it was the one in flight.</summary>
    public bool TryComplete(RingToken token)
    {
        if (!_isInFlight || token.Round != _round)
        {
            _highestSeen = Math.Max(_highestSeen, token.Round);
            return false;
        }

        _holder.Drop();
        Complete(token);
        return true;
    }

    private void OnAlarm()
    {
        if (!Leads)
        {
            // The token of who leads may be among what waits.
            if (_context.TryAwaitUnread(_alarm, Math.Min(_unreadSinceNs, _context.Core.NowNs), ref _unreadSinceNs))
            {
                return;
            }

            Leads = true;
            _context.Counters.TakeOvers++;
            _scheduler.OnChange(_context.Core.NowNs);
        }

        if (_isInFlight)
        {
            if (_context.TryAwaitUnread(_alarm, _dueNs, ref _unreadSinceNs))
            {
                return;
            }

            _context.Counters.RoundsGivenUp++;
            if (!_quiet.TryTakeLoss())
            {
                _scheduler.OnGivenUp();
            }

            _holder.Drop();
        }
        else if (TryAwaitData())
        {
            return;
        }

        Start();
    }

    /// <summary>
    /// Puts a round off while data that was received waits at this core: tokens are handled before data, and would hold up what the round
    /// is to ask for. At a core that is late the pause is the longest, for what it lacks is time, or that of streams.
    /// </summary>
    private bool TryAwaitData()
    {
        CoreLoop core = _context.Core;
        if (core.Io.CountOf(PortLane.Data) == 0)
        {
            return false;
        }

        // A sender whose window fills waits for the round no longer than else, and what the last round had no room for not as long.
        bool isPatient = core.IsDataLate && _packets < (ulong)_context.Options.RoundPacketsMax;
        long pauseNs = !isPatient ? _scheduler.BusyPauseNs : _table.HasMore ? _scheduler.StreamPauseNs : _context.Options.PauseMaxNs;
        long delayNs = _endedNs + pauseNs - core.NowNs;
        if (delayNs <= 0)
        {
            _putOffToNs = Math.Min(_putOffToNs, core.NowNs + _context.Options.DataWaitMaxNs);
            if (!_isFirstAfterChange || core.IsDataLate || core.NowNs >= _putOffToNs)
            {
                return false;
            }

            delayNs = _context.Options.DataWaitNs;
        }

        // A core that was late may soon be late no more.
        core.ScheduleIn(_alarm, Math.Min(delayNs, isPatient ? _context.Options.StreamPauseMinNs : delayNs));
        return true;
    }

    private void Start()
    {
        _round = RoundNumber.Next(Math.Max(_round, _highestSeen), _context.Rank, _context.View!);
        _isInFlight = true;
        _packets = 0;
        _putOffToNs = long.MaxValue;
        _unreadSinceNs = long.MaxValue;
        _startedNs = _context.Core.NowNs;
        RingToken token = _context.Scratch;
        token.Clear(_context.ViewNumber, _round, _context.Position);
        token.IsQuiet = _quiet.Begin();
        _dueNs = _startedNs + (token.IsQuiet ? _scheduler.QuietTimeoutNs : _scheduler.TimeoutNs);
        _context.Core.Alarms.Schedule(_alarm, _dueNs);
        token.SetConfirmed(_outbox.Confirmed, _outbox.ConfirmedSilent);
        _context.Reports.OnToken(token, _context.Position, _context.Contribution);
        _table.Seed(token, _context.Contribution, _context.Reports, _context.Floors);
        RingTokenVisit.Visit(token, _context.Position, _context.Contribution, _context.Reports, isLeader: true);
        _holder.PassOn(token);
    }

    private void Complete(RingToken token)
    {
        long nowNs = _context.Core.NowNs;
        _isInFlight = false;
        _endedNs = nowNs;
        for (int position = _context.Part.First; position < _context.Position; position++)
        {
            // In whose place it leads: if they hear this, they lead again.
            _context.Acknowledge(token.Round, 0, position);
        }

        _context.Counters.Rounds++;
        _context.Counters.QuietRounds += token.IsQuiet ? 1 : 0;
        _quiet.OnRound(isComplete: token.SilentTotal == 0);
        _scheduler.OnRound(nowNs - _startedNs);
        _table.Take(token);
        if (_table.HasProgress || _hasChanged || _packets > 0)
        {
            _scheduler.OnChange(nowNs);
        }

        bool isGrace = _grace.Apply(token, nowNs);
        _outbox.Gatherer.WaitNs = _scheduler.GatherNs;
        _outbox.Send(token);
        bool isUnsettled = _table.IsUnsettled || isGrace || _hasChanged;
        if (_isFirstAfterChange && !_table.IsMidPass)
        {
            // A change that arrives during a round does not show when that round should have started.
            _isFirstAfterChange = false;
            _scheduler.OnFirstRound(_table.IsBehind);
        }

        _hasChanged = false;
        bool isStreamUnsettled = _table.IsStreamUnsettled || _packets > 0;
        long pauseNs = isUnsettled ? _scheduler.NextPauseNs(nowNs, _table.IsMidPass)
            : isStreamUnsettled ? _scheduler.NextStreamPauseNs(nowNs, _packets)
            : _context.Options.IdleNs;
        _context.Core.ScheduleIn(_alarm, pauseNs);
    }
}
