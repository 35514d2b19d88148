using Ripple.Engine.Memory;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Gms.Definitions;
using Ripple.Gms.Frontier;
using Ripple.Gms.Frontier.Monitors;
using Ripple.Gms.Frontier.Waits;
using Ripple.Gms.Matching;
using Ripple.Gms.Publishing;
using Ripple.Gms.Store;
using Monitor = Ripple.Engine.Protocol.Calls.Monitor;

namespace Ripple.Gms.Calls;

/// <summary>
/// Every call a host answers, authorized and bounded in one place. The control channel and HTTP are thin adapters over it, so they cannot
/// differ. Core thread.
/// </summary>
internal sealed class CallService
{
    private readonly AccessTokenTable _tokens;
    private readonly Authorizer _authorizer;
    private readonly ApplicationTable _applications;
    private readonly FrontierSet _frontiers;
    private readonly DefinitionTable _definitions;

    /// <param name="context">The host's shared services.</param>
    /// <param name="tokens">The core's copy of the access tokens.</param>
    /// <param name="applications">The applications.</param>
    /// <param name="frontiers">Their frontiers.</param>
    /// <param name="definitions">What applications say about themselves.</param>
    /// <param name="spaces">The spaces of their events.</param>
    /// <param name="preparer">Checks and digests publishes off the core.</param>
    /// <param name="counters">The host's counters.</param>
    /// <param name="events">The host's events.</param>
    /// <param name="membersOf">Returns the nodes that currently receive an application's releases.</param>
    /// <param name="memberCountOf">Returns how many they are.</param>
    public CallService(
        HostContext context,
        AccessTokenTable tokens,
        ApplicationTable applications,
        FrontierSet frontiers,
        DefinitionTable definitions,
        EventSpaces spaces,
        IPublishPreparer preparer,
        GmsCounters counters,
        GmsEvents events,
        Func<string, IEnumerable<MemberRecord>> membersOf,
        Func<string, int> memberCountOf)
    {
        _tokens = tokens;
        _authorizer = new Authorizer(tokens, applications, context);
        _applications = applications;
        _frontiers = frontiers;
        _definitions = definitions;
        Budget = new CallBudget(context.Core, context.Options.Limits.Calls, counters, events);
        Past = new PastStates(context);
        Publishing = new PublishCalls(context, _authorizer, tokens, applications, definitions, preparer, counters, Past, membersOf);
        Events = new EventCalls(_authorizer, tokens, definitions, spaces, counters);
        Reading = new ReadCalls(context, _authorizer, applications, frontiers, Past, memberCountOf);
    }

    /// <summary>Adds the memory of calls in progress.</summary>
    public static void AddMemory(MemoryBudget budget, GmsOptions options)
    {
        budget.Add(MemoryScope.Process, MemoryKind.Transient, "publishes that come, wait, or are being stored", 1, options.UploadBytesMax);
        PastStates.AddMemory(budget, options);
        CallBudget.AddMemory(budget);
    }

    /// <summary>Called a few times per second.</summary>
    public void OnTick()
    {
        Budget.OnTick();
        Past.Sweep();
    }

    /// <summary>The shares of connections, tokens and applications.</summary>
    public CallBudget Budget { get; }

    /// <summary>Past states; who asks for them bounds how many.</summary>
    public PastStates Past { get; }

    /// <summary>Publishes and rollbacks.</summary>
    public PublishCalls Publishing { get; }

    /// <summary>Events and subscriptions.</summary>
    public EventCalls Events { get; }

    /// <summary>Reads.</summary>
    public ReadCalls Reading { get; }

    /// <summary>Takes the caller's core time for a request over HTTP; null, or the refusal.</summary>
    public Refusal? Charge(Caller caller, long costNs) => Budget.TryTake(_tokens.OwnerOf(caller), costNs);

    /// <summary>Null while the caller administers the cluster, else the refusal.</summary>
    public Refusal? RefuseCluster(Caller caller) => _authorizer.Judge(caller, AccessTokenGrant.All, AccessRole.Admin);

    /// <summary>Creates an application; <paramref name="done"/> gets null, or the refusal.</summary>
    public void Create(Caller caller, string application, Action<Refusal?> done)
    {
        if (RefuseCluster(caller) is { } refusal)
        {
            done(refusal);
            return;
        }

        _applications.Create(application, caller.Actor, done);
    }

    /// <summary>Null while the caller may wait on the application, else the refusal that ends its wait.</summary>
    public Refusal? RefuseWait(Caller caller, Wait wait) => _authorizer.Judge(caller, wait.Application, AccessRole.Node);

    /// <summary>
    /// The wait with the predicate that it names written out, so that it costs what that costs. What names none, or none that is known now,
    /// is as it was: <see cref="Wait"/> says why it cannot begin.
    /// </summary>
    public Wait WithPredicate(Wait wait) => _definitions.Resolve(wait.Application, wait.Predicate, out _) is { } text
        && !ReferenceEquals(text, wait.Predicate) ? wait with { Predicate = text } : wait;

    /// <summary>What an application says about itself.</summary>
    public Answer<ApplicationDefinitions> Definitions(Caller caller, string application)
    {
        if (_authorizer.Find(caller, application, AccessRole.Node, out Refusal? refusal) is null)
        {
            return refusal!;
        }

        return _definitions.Find(application) is { } definitions ? definitions : DefinitionTable.BeingRead(application);
    }

    /// <summary>
    /// Begins a wait, written out; at most <see cref="FrontierWaits.WaitsMax"/> run per application. Disposing the handle ends the wait
    /// without an answer.
    /// </summary>
    /// <param name="caller">The caller.</param>
    /// <param name="share">What the waits of its connection cost.</param>
    /// <param name="wait">The wait.</param>
    /// <param name="onProgress">Called occasionally with the number of members that hold.</param>
    /// <param name="onEnded">Called with the result, possibly before this method returns. Its code is other than None if the predicate does
    /// not fit the members.</param>
    /// <param name="refusal">The reason it cannot begin; null if it began.</param>
    /// <returns>The handle; null if the wait was refused or has already ended.</returns>
    public IDisposable? Wait(
        Caller caller, WaitShare share, Wait wait, Action<WaitProgress> onProgress, Action<WaitResult> onEnded, out Refusal? refusal) =>
        _authorizer.Find(caller, wait.Application, AccessRole.Node, out refusal) is { } primary
            && _definitions.Resolve(wait.Application, wait.Predicate, out refusal) is not null
            ? _frontiers.Of(primary).Begin(_tokens.OwnerOf(caller), share, wait, onProgress, onEnded, out refusal)
            : null;

    /// <summary>The refusal while the definitions of an application are being read; null if they are in effect.</summary>
    public Refusal? RefuseUnread(string application) =>
        _definitions.Find(application) is null ? DefinitionTable.BeingRead(application) : null;

    /// <summary>Null while the caller may follow the application, else the refusal that ends its monitor.</summary>
    public Refusal? RefuseMonitor(Caller caller, string application) => _authorizer.Judge(caller, application, AccessRole.Node);

    /// <summary>What a monitor costs to begin: its predicate is parsed and bound.</summary>
    public long CostOf(Monitor monitor) => CallCosts.Of(
        WithPredicate(new Wait(0, monitor.Application, 0, 0, monitor.Predicate, 0, CountLeft: false)),
        Reading.RowCount(monitor.Application));

    /// <summary>
    /// Begins a monitor; at most <see cref="FrontierMonitors.MonitorsMax"/> run per application. Disposing the handle ends it.
    /// </summary>
    /// <param name="caller">The caller.</param>
    /// <param name="share">What the waits and monitors of its connection cost.</param>
    /// <param name="monitor">The monitor.</param>
    /// <param name="onPoint">Called with each point, possibly before this method returns.</param>
    /// <param name="onEnded">Called with the reason if the host ends it.</param>
    /// <param name="refusal">The reason it cannot begin; null if it began.</param>
    public IDisposable? Follow(
        Caller caller, WaitShare share, Monitor monitor, Action<FrontierPoint> onPoint, Action<Refusal> onEnded, out Refusal? refusal)
    {
        if (_authorizer.Find(caller, monitor.Application, AccessRole.Node, out refusal) is not { } primary
            || _definitions.Resolve(monitor.Application, monitor.Predicate, out refusal) is not { } text)
        {
            return null;
        }

        NamedPredicate? named = _definitions.Find(monitor.Application)?.Predicates.GetValueOrDefault(monitor.Predicate);
        return _frontiers.Of(primary).Follow(
            _tokens.OwnerOf(caller), share, named?.Name, text, named?.Version ?? 0, onPoint, onEnded, out refusal);
    }
}

/// <summary>The outcome of a call: a value, or a refusal.</summary>
/// <typeparam name="T">The type of the value.</typeparam>
/// <param name="Value">The value; the default when refused.</param>
/// <param name="Refusal">The reason for a refusal; null on success.</param>
internal readonly record struct Answer<T>(T? Value, Refusal? Refusal)
{
    public static implicit operator Answer<T>(T value) => new(value, null);

    public static implicit operator Answer<T>(Refusal refusal) => new(default, refusal);

    public static Answer<T> Refuse(ErrorCode code, string text) => new Refusal(code, text);
}
