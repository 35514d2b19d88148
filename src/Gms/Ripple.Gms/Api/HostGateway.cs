using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Releases;
using Ripple.Gms.Calls;
using Ripple.Gms.Core;
using Ripple.Gms.Publishing;
using Ripple.Transports.Running;

namespace Ripple.Gms.Api;

/// <summary>
/// The host's calls for those who may wait: asks on the core, and makes tasks of the answers and exceptions of refusals. What it gives is
/// immutable. Any thread.
/// </summary>
internal sealed class HostGateway(CoreRunner runner, HostCore host)
{
    private HostCalls Calls => host.Calls;

    /// <summary>The applications the caller may read, by name.</summary>
    public Task<IReadOnlyList<ApplicationView>> ApplicationsAsync(Caller caller) =>
        runner.RunAsync(() => Calls.Reading.List(caller, host.MemberCounts()));

    /// <summary>One application.</summary>
    /// <exception cref="ApiProblemException">It is refused.</exception>
    public Task<ApplicationView> ApplicationAsync(Caller caller, string application) =>
        AskAsync(() => Calls.Reading.Read(caller, application));

    /// <summary>How far each node is, also nodes that went, and the newest state.</summary>
    /// <exception cref="ApiProblemException">It is refused.</exception>
    public Task<(ReleaseState Newest, IReadOnlyList<StatusRow> Rows)> StatusAsync(Caller caller, string application) =>
        AskAsync(() => Calls.Reading.Status(caller, application));

    /// <summary>The key table of an application at a release; null for the newest.</summary>
    /// <exception cref="ApiProblemException">It is refused, or there is no such release.</exception>
    public Task<HistoricalState> StateAsync(Caller caller, string application, ulong? release) =>
        AskAsync<HistoricalState>(done => Calls.Reading.State(caller, application, release, done));

    /// <summary>The value of a key.</summary>
    /// <exception cref="ApiProblemException">It is refused, or there is no such release or key.</exception>
    public Task<(HistoricalState State, KeyEntry Entry, ReadOnlyMemory<byte> Bytes)> ValueAsync(
        Caller caller, string application, string key, ulong? release) =>
        AskAsync<(HistoricalState, KeyEntry, ReadOnlyMemory<byte>)>(done => Calls.Reading.Value(caller, application, key, release, done));

    /// <summary>The releases before one, newest first.</summary>
    /// <exception cref="ApiProblemException">It is refused.</exception>
    public Task<IReadOnlyList<ReleaseHeader>> HistoryAsync(Caller caller, string application, ulong before, int count) =>
        AskAsync<IReadOnlyList<ReleaseHeader>>(done => Calls.Reading.History(caller, application, before, count, done));

    /// <summary>One release.</summary>
    /// <exception cref="ApiProblemException">It is refused, or there is no such release.</exception>
    public Task<ReleaseHeader> ReleaseAsync(Caller caller, string application, ulong release) =>
        AskAsync<ReleaseHeader>(done => Calls.Reading.Release(caller, application, release, done));

    /// <summary>Publishes. Goes on when nobody waits any more.</summary>
    /// <exception cref="ApiProblemException">It is refused.</exception>
    public Task<PublishAnswer> PublishAsync(Caller caller, PublishInput input) => AskAsync<PublishAnswer>(done =>
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
    public Task<PublishOutline> PlanAsync(Caller caller, PublishInput input) => AskAsync<PublishOutline>(done =>
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
        AskAsync<PublishAnswer>(done => Calls.Publishing.Rollback(caller, rollback, trace, answer => done(Of(answer))));

    /// <summary>What a rollback would do.</summary>
    /// <exception cref="ApiProblemException">It is refused.</exception>
    public Task<PublishOutline> PlanRollbackAsync(Caller caller, Rollback rollback) =>
        AskAsync<PublishOutline>(done => Calls.Publishing.PlanRollback(caller, rollback, done));

    /// <summary>Creates an application.</summary>
    /// <exception cref="ApiProblemException">It is refused.</exception>
    public Task CreateApplicationAsync(Caller caller, string name) =>
        AskAsync<bool>(done => Calls.Create(caller, name, refusal => done(new Answer<bool>(refusal is null, refusal))));

    /// <summary>
    /// Waits. The callbacks run on the core, and may run before this returns; what is returned ends the wait and is to be called in any
    /// case.
    /// </summary>
    /// <exception cref="ApiProblemException">The wait cannot begin.</exception>
    public async Task<Func<Task>> BeginWaitAsync(Caller caller, Wait wait, Action<WaitProgress> onProgress, Action<WaitResult> onEnded)
    {
        (IDisposable? handle, Refusal? refusal) = await runner.RunAsync(() =>
        {
            IDisposable? begun = Calls.Wait(caller, wait, onProgress, onEnded, out Refusal? refused);
            return (begun, refused);
        }).ConfigureAwait(false);
        if (refusal is not null)
        {
            throw new ApiProblemException(refusal);
        }

        return () => handle is null ? Task.CompletedTask : runner.RunAsync(handle.Dispose);
    }

    private static Answer<PublishAnswer> Of(PublishAnswer answer) => answer.Code == ErrorCode.None
        ? answer
        : new Refusal(answer.Code, answer.Text, answer.Code == ErrorCode.WrongExpectedRelease ? answer.Release : 0);

    private UploadBudget.Lease? TryBegin(Caller caller, PublishInput input, out Refusal? refusal) =>
        Calls.Publishing.TryBegin(caller, input.Application, input.ValueBytes, input.HeadBytes, out refusal);

    private async Task<T> AskAsync<T>(Func<Answer<T>> ask) => Take(await runner.RunAsync(ask).ConfigureAwait(false));

    private async Task<T> AskAsync<T>(Action<Action<Answer<T>>> ask)
    {
        var done = new TaskCompletionSource<Answer<T>>(TaskCreationOptions.RunContinuationsAsynchronously);
        await runner.RunAsync(() => ask(done.SetResult)).ConfigureAwait(false);
        return Take(await done.Task.ConfigureAwait(false));
    }

    private static T Take<T>(Answer<T> answer) => answer.Refusal is { } refusal ? throw new ApiProblemException(refusal) : answer.Value!;
}
