using Ripple.Engine.Frontier.Waits;
using Ripple.Engine.Memory;
using Ripple.Engine.Protocol.Calls;
using Ripple.Gms.Frontier;
using Ripple.Gms.Publishing;
using Ripple.Gms.Store;

namespace Ripple.Gms.Calls;

/// <summary>
/// All that may be asked of a host, judged, bounded and answered in one place. The control channel and HTTP are two thin adapters of it:
/// they cannot differ. Core thread.
/// </summary>
internal sealed class HostCalls
{
    private readonly Authorizer _authorizer;
    private readonly ApplicationTable _applications;
    private readonly FrontierSet _frontiers;

    /// <param name="context">What the host's rooms share.</param>
    /// <param name="tokens">The access tokens as the core knows them.</param>
    /// <param name="applications">The applications.</param>
    /// <param name="frontiers">Their frontiers.</param>
    /// <param name="preparer">Checks and digests publishes, off the core.</param>
    /// <param name="counters">What is counted.</param>
    /// <param name="membersOf">The nodes that take releases of an application now.</param>
    public HostCalls(
        HostContext context,
        AccessTokenTable tokens,
        ApplicationTable applications,
        FrontierSet frontiers,
        IPublishPreparer preparer,
        GmsCounters counters,
        Func<string, IEnumerable<MemberRecord>> membersOf)
    {
        _authorizer = new Authorizer(tokens, applications, context.Clock);
        _applications = applications;
        _frontiers = frontiers;
        Publishing = new PublishCalls(context, _authorizer, preparer, counters, membersOf);
        Reading = new ReadCalls(context, _authorizer, applications, frontiers, membersOf);
    }

    /// <summary>Adds what calls under way hold.</summary>
    public static void AddMemory(MemoryBudget budget, GmsOptions options) =>
        budget.Add(MemoryScope.Process, MemoryKind.Transient, "publishes that come, wait, or are being stored", 1, options.UploadBytesMax);

    /// <summary>Publishes and rollbacks.</summary>
    public PublishCalls Publishing { get; }

    /// <summary>Reads.</summary>
    public ReadCalls Reading { get; }

    /// <summary>Creates an application; <paramref name="done"/> gets null, or why not.</summary>
    public void Create(Caller caller, string application, Action<Refusal?> done)
    {
        if (_authorizer.Judge(caller, AccessTokenGrant.All, AccessRole.Admin) is { } refusal)
        {
            done(refusal);
            return;
        }

        _applications.Create(application, caller.Actor, done);
    }

    /// <summary>
    /// Begins a wait; at most <see cref="FrontierWaits.WaitsMax"/> run in an application. The handle ends it without an answer.
    /// </summary>
    /// <param name="caller">Who waits.</param>
    /// <param name="wait">For what.</param>
    /// <param name="onProgress">Told now and then how many hold.</param>
    /// <param name="onEnded">Told how it ended; maybe before this returns.</param>
    /// <param name="refusal">Why it cannot begin; null when it began.</param>
    /// <returns>The handle; null when it was refused, or has ended already.</returns>
    public IDisposable? Wait(Caller caller, Wait wait, Action<WaitProgress> onProgress, Action<WaitResult> onEnded, out Refusal? refusal) =>
        _authorizer.Find(caller, wait.Application, AccessRole.Node, out refusal) is { } primary
            ? _frontiers.Of(primary).Begin(wait, onProgress, onEnded, out refusal)
            : null;
}
