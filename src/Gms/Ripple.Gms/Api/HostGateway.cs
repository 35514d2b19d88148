using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Regions;
using Ripple.Engine.Releases;
using Ripple.Gms.Calls;
using Ripple.Gms.Core;
using Ripple.Gms.Definitions;
using Ripple.Gms.Frontier;
using Ripple.Gms.Frontier.Monitors;
using Ripple.Gms.Publishing;
using Ripple.Gms.Regions;
using Ripple.Transports.Running;
using Monitor = Ripple.Engine.Protocol.Calls.Monitor;

namespace Ripple.Gms.Api;

/// <summary>
/// The host's calls for those who may wait: asks on the core, and makes tasks of the answers and exceptions of refusals. What it gives is
/// immutable. Any thread.
/// </summary>
internal sealed partial class HostGateway(CoreRunner runner, HostCore host)
{
    private CallService Calls => host.Calls;

    /// <summary>The applications the caller may read, by name.</summary>
    public Task<IReadOnlyList<ApplicationView>> ApplicationsAsync(Caller caller) =>
        AskAsync(caller, () => host.Applications.Count * CallCosts.RowNs, () =>
            new Answer<IReadOnlyList<ApplicationView>>(Calls.Reading.List(caller), null));

    /// <summary>One application.</summary>
    /// <exception cref="ApiProblemException">It is refused.</exception>
    public Task<ApplicationView> ApplicationAsync(Caller caller, string application) =>
        AskAsync(caller, NoMore, () => Calls.Reading.Read(caller, application));

    /// <summary>How far each node is, also of departed nodes, and the newest state.</summary>
    /// <exception cref="ApiProblemException">It is refused.</exception>
    public Task<(ReleaseState Newest, IReadOnlyList<StatusRow> Rows)> StatusAsync(Caller caller, string application) =>
        AskAsync(
            caller, () => Calls.Reading.RowCount(application) * CallCosts.RowNs, () => Calls.Reading.Status(caller, application));

    /// <summary>What an application says about itself.</summary>
    /// <exception cref="ApiProblemException">It is refused.</exception>
    public Task<ApplicationDefinitions> DefinitionsAsync(Caller caller, string application) =>
        AskAsync(caller, NoMore, () => Calls.Definitions(caller, application));

    /// <summary>The applications that a node takes or took, and what it called itself.</summary>
    public Task<(string Name, IReadOnlyList<string> Applications)> MembershipsAsync(NodeId node) =>
        runner.RunAsync(() => host.Memberships(node));

    /// <summary>The regions behind one, by name; from the first on for null.</summary>
    /// <exception cref="ApiProblemException">It is refused.</exception>
    public Task<IReadOnlyList<RegionStatus>> RegionsAsync(Caller caller, ulong? after, int countMax) => AskAsync(
        caller,
        () => host.Regions.After(after, countMax).Sum(r => CostOf(r)),
        () => Calls.RefuseCluster(caller) is { } refusal
            ? refusal
            : new Answer<IReadOnlyList<RegionStatus>>([.. host.Regions.After(after, countMax).Select(r => r.Status())], null));

    /// <summary>One region.</summary>
    /// <param name="caller">The caller.</param>
    /// <param name="name">Its name, or the beginning of it that no other has.</param>
    /// <exception cref="ApiProblemException">It is refused, or there is no such region.</exception>
    public Task<RegionStatus> RegionAsync(Caller caller, string name) => AskAsync<RegionStatus>(
        caller,
        () => host.Regions.Find(name, out _) is { } region ? CostOf(region) : 0,
        () => Calls.RefuseCluster(caller) is { } refusal ? refusal
            : host.Regions.Find(name, out Refusal? absent) is { } region ? region.Status() : absent!);

    /// <summary>The key table of an application at a release; null for the newest.</summary>
    /// <exception cref="ApiProblemException">It is refused, or there is no such release.</exception>
    public Task<HistoricalState> StateAsync(Caller caller, string application, ulong? release) =>
        AskAsync<HistoricalState>(caller, NoMore, done => Calls.Reading.State(caller, application, release, done));

    /// <summary>The value of a key.</summary>
    /// <exception cref="ApiProblemException">It is refused, or there is no such release or key.</exception>
    public Task<(HistoricalState State, KeyEntry Entry, ReadOnlyMemory<byte> Bytes)> ValueAsync(
        Caller caller, string application, string key, ulong? release) =>
        AskAsync<(HistoricalState, KeyEntry, ReadOnlyMemory<byte>)>(
            caller, NoMore, done => Calls.Reading.Value(caller, application, key, release, done));

    /// <summary>The releases before one, newest first.</summary>
    /// <exception cref="ApiProblemException">It is refused.</exception>
    public Task<IReadOnlyList<ReleaseHeader>> HistoryAsync(Caller caller, string application, ulong before, int count) =>
        AskAsync<IReadOnlyList<ReleaseHeader>>(
            caller, () => count * CallCosts.HeaderNs, done => Calls.Reading.History(caller, application, before, count, done));

    /// <summary>One release.</summary>
    /// <exception cref="ApiProblemException">It is refused, or there is no such release.</exception>
    public Task<ReleaseHeader> ReleaseAsync(Caller caller, string application, ulong release) =>
        AskAsync<ReleaseHeader>(caller, NoMore, done => Calls.Reading.Release(caller, application, release, done));

    /// <summary>Publishes. Goes on when nobody waits any more.</summary>
    /// <exception cref="ApiProblemException">It is refused.</exception>
    public Task<PublishAnswer> PublishAsync(Caller caller, PublishInput input) => AskAsync<PublishAnswer>(
        caller, () => CostOf(input), done =>
    {
        if (TryBegin(caller, input, out Refusal? refusal) is { } lease)
        {
            Calls.Publishing.Publish(caller, input, lease, () => { }, answer => done(Of(answer)));
        }
        else
        {
            Calls.Publishing.Refuse(refusal!, answer => done(Of(answer)));
        }
    });

    /// <summary>What a publish would do.</summary>
    /// <exception cref="ApiProblemException">It is refused.</exception>
    public Task<PublishOutline> PlanAsync(Caller caller, PublishInput input) => AskAsync<PublishOutline>(
        caller, () => CostOf(input), done =>
    {
        if (TryBegin(caller, input, out Refusal? refusal) is { } lease)
        {
            Calls.Publishing.Plan(caller, input, lease, done);
        }
        else
        {
            done(refusal!);
        }
    });

    /// <summary>Makes the state of a past release the newest.</summary>
    /// <exception cref="ApiProblemException">It is refused.</exception>
    public Task<PublishAnswer> RollbackAsync(Caller caller, Rollback rollback, TraceContext? trace) =>
        AskAsync<PublishAnswer>(caller, NoMore, done => Calls.Publishing.Rollback(caller, rollback, trace, answer => done(Of(answer))));

    /// <summary>What a rollback would do.</summary>
    /// <exception cref="ApiProblemException">It is refused.</exception>
    public Task<PublishOutline> PlanRollbackAsync(Caller caller, Rollback rollback) =>
        AskAsync<PublishOutline>(caller, NoMore, done => Calls.Publishing.PlanRollback(caller, rollback, done));

    /// <summary>Creates an application.</summary>
    /// <exception cref="ApiProblemException">It is refused.</exception>
    public Task CreateApplicationAsync(Caller caller, string name) =>
        AskAsync<bool>(
            caller,
            () => CallCosts.CreateNs,
            done => Calls.Create(caller, name, refusal => done(new Answer<bool>(refusal is null, refusal))));

    /// <summary>
    /// Waits. Returns once the wait has begun or ended. The callbacks run on the core, and may run before this returns; what is returned
    /// ends the wait and is to be called in any case.
    /// </summary>
    /// <exception cref="ApiProblemException">The wait cannot begin.</exception>
    public async Task<Func<Task>> BeginWaitAsync(Caller caller, Wait wait, Action<WaitProgress> onProgress, Action<WaitResult> onEnded)
    {
        // A predicate is bound to its members when it is its turn: only then is it known whether it fits.
        var begun = new TaskCompletionSource<Refusal?>(TaskCreationOptions.RunContinuationsAsynchronously);
        void OnProgress(WaitProgress progress)
        {
            onProgress(progress);
            begun.TrySetResult(null);
        }

        void OnEnded(WaitResult result)
        {
            onEnded(result);
            begun.TrySetResult(result.Code == ErrorCode.None ? null : new Refusal(result.Code, result.Text));
        }

        (IDisposable? handle, Refusal? refusal) = await runner.RunAsync<(IDisposable?, Refusal?)>(() =>
        {
            wait = Calls.WithPredicate(wait);
            if (Calls.Charge(caller, CallCosts.Of(wait, Calls.Reading.RowCount(wait.Application))) is { } tooOften)
            {
                return (null, tooOften);
            }

            IDisposable? asked = Calls.Wait(caller, new WaitShare(), wait, OnProgress, OnEnded, out Refusal? refused);
            return (asked, refused);
        }).ConfigureAwait(false);
        refusal ??= await begun.Task.ConfigureAwait(false);
        if (refusal is not null)
        {
            throw new ApiProblemException(refusal);
        }

        return () => handle is null ? Task.CompletedTask : runner.RunAsync(handle.Dispose);
    }

    /// <summary>
    /// Follows a predicate. The callbacks run on the core, and may run before this returns; what is returned ends it and is to be called in
    /// any case.
    /// </summary>
    /// <exception cref="ApiProblemException">It cannot begin.</exception>
    public async Task<Func<Task>> FollowAsync(Caller caller, Monitor monitor, Action<FrontierPoint> onPoint, Action<Refusal> onEnded)
    {
        (IDisposable? handle, Refusal? refusal) = await runner.RunAsync<(IDisposable?, Refusal?)>(() =>
        {
            if (Calls.Charge(caller, Calls.CostOf(monitor)) is { } tooOften)
            {
                return (null, tooOften);
            }

            IDisposable? followed = Calls.Follow(caller, new WaitShare(), monitor, onPoint, onEnded, out Refusal? refused);
            return (followed, refused);
        }).ConfigureAwait(false);
        return refusal is null ? () => runner.RunAsync(handle!.Dispose) : throw new ApiProblemException(refusal);
    }

    /// <summary>Takes a call from the caller's share, for what is not asked here.</summary>
    /// <exception cref="ApiProblemException">The caller asks for more than its share.</exception>
    public Task TakeCallAsync(Caller caller) => AskAsync<bool>(caller, NoMore, static () => true);

    private static Answer<PublishAnswer> Of(PublishAnswer answer) => answer.Code == ErrorCode.None
        ? answer
        : answer.Code == ErrorCode.WrongExpectedRelease
            ? new Refusal(answer.Code, answer.Text, answer.Release, answer.Generation)
            : new Refusal(answer.Code, answer.Text);

    private UploadBudget.Lease? TryBegin(Caller caller, PublishInput input, out Refusal? refusal) =>
        Calls.Publishing.TryBegin(caller, input.Application, input.ValueBytes, input.HeadBytes, out refusal);

    private static long NoMore() => 0;

    private static long CostOf(ServedRegion region) => (1 + region.View.PartCount) * CallCosts.RowNs;

    private static long CostOf(PublishInput input) => CallCosts.OfFrame(MessageType.PublishBegin, (int)input.HeadBytes);

    /// <summary>Asks on the core, where its cost beyond that of any call is known and taken from the caller's share.</summary>
    private async Task<T> AskAsync<T>(Caller caller, Func<long> moreNs, Func<Answer<T>> ask) => Take(await runner.RunAsync(
        () => Calls.Charge(caller, CallCosts.CallNs + moreNs()) is { } tooOften ? tooOften : ask()).ConfigureAwait(false));

    private async Task<T> AskAsync<T>(Caller caller, Func<long> moreNs, Action<Action<Answer<T>>> ask)
    {
        var done = new TaskCompletionSource<Answer<T>>(TaskCreationOptions.RunContinuationsAsynchronously);
        await runner.RunAsync(() =>
        {
            if (Calls.Charge(caller, CallCosts.CallNs + moreNs()) is { } tooOften)
            {
                done.SetResult(tooOften);
            }
            else
            {
                ask(done.SetResult);
            }
        }).ConfigureAwait(false);
        return Take(await done.Task.ConfigureAwait(false));
    }

    private static T Take<T>(Answer<T> answer) => answer.Refusal is { } refusal ? throw new ApiProblemException(refusal) : answer.Value!;
}
