using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Releases;
using Ripple.Gms.Core;
using Ripple.Gms.Frontier;
using Ripple.Gms.Publishing;
using Ripple.Transports.Running;

namespace Ripple.Gms.Api;

/// <summary>The host's logic for those who may wait. What it asks runs on the core; what it answers is immutable. Any thread.</summary>
internal sealed class HostGateway(CoreRunner runner, HostCore host, HostContext context)
{
    /// <summary>Every application.</summary>
    public Task<IReadOnlyList<ApplicationView>> ApplicationsAsync() => runner.RunAsync<IReadOnlyList<ApplicationView>>(() =>
    {
        IReadOnlyDictionary<string, int> nodes = host.MemberCounts();
        return [.. host.Applications.Select(a => View(a, nodes.GetValueOrDefault(a.Name)))];
    });

    /// <summary>The names of all applications.</summary>
    public Task<IReadOnlyList<string>> NamesAsync() => runner.RunAsync<IReadOnlyList<string>>(() => [.. host.Applications.Select(a => a.Name)]);

    /// <summary>One application.</summary>
    /// <exception cref="ApiProblemException">There is none of this name.</exception>
    public Task<ApplicationView> ApplicationAsync(string application) => AskAsync(application, primary => View(primary, host.MembersOf(primary.Name).Count()));

    /// <summary>The newest committed state of an application, and its number.</summary>
    /// <exception cref="ApiProblemException">There is none of this name.</exception>
    public Task<(uint Topic, ReleaseState State)> StateAsync(string application) => AskAsync(application, primary => (primary.Topic, primary.Committed));

    /// <summary>The nodes that take releases of an application now.</summary>
    public Task<IReadOnlyList<MemberRecord>> MembersAsync(string application) =>
        AskAsync<IReadOnlyList<MemberRecord>>(application, _ => [.. host.MembersOf(application)]);

    /// <summary>How far each node is, also nodes that went.</summary>
    public Task<IReadOnlyList<StatusRow>> RowsAsync(string application) =>
        AskAsync<IReadOnlyList<StatusRow>>(application, _ => [.. host.FrontierOf(application)!.Rows()]);

    /// <summary>Checks and digests, off the core.</summary>
    /// <exception cref="ApiProblemException">It is refused.</exception>
    public async Task<PreparedPublish> PrepareAsync(PublishInput input)
    {
        var done = new TaskCompletionSource<(PreparedPublish? Prepared, Refusal? Refusal)>(TaskCreationOptions.RunContinuationsAsynchronously);
        if (!context.Preparer.TryPrepare(input, (prepared, refusal) => done.SetResult((prepared, refusal))))
        {
            throw new ApiProblemException(ErrorCode.Busy, "The host checks as many publishes as it may at one time. Try again with the same idempotency key.");
        }

        (PreparedPublish? prepared, Refusal? refusal) = await done.Task.ConfigureAwait(false);
        return prepared ?? throw new ApiProblemException(refusal!.Code, refusal.Text);
    }

    /// <summary>Publishes; returns what became of it. It goes on when nobody waits any more.</summary>
    public Task<PublishAnswer> PublishAsync(string application, PreparedPublish publish, string actor)
    {
        var done = new TaskCompletionSource<PublishAnswer>(TaskCreationOptions.RunContinuationsAsynchronously);
        return Begin();

        async Task<PublishAnswer> Begin()
        {
            await AskAsync(application, primary =>
            {
                primary.Publish(publish, actor, done.SetResult);
                return true;
            }).ConfigureAwait(false);
            return await done.Task.ConfigureAwait(false);
        }
    }

    /// <summary>Creates an application.</summary>
    /// <exception cref="ApiProblemException">It is refused.</exception>
    public async Task CreateApplicationAsync(string name, string actor)
    {
        var done = new TaskCompletionSource<Refusal?>(TaskCreationOptions.RunContinuationsAsynchronously);
        await runner.RunAsync(() => host.CreateApplication(name, actor, done.SetResult)).ConfigureAwait(false);
        if (await done.Task.ConfigureAwait(false) is { } refusal)
        {
            throw new ApiProblemException(refusal.Code, refusal.Text);
        }
    }

    /// <summary>Waits. The callbacks run on the core, and may run before this returns; what is returned ends the wait and is to be called in any case.</summary>
    /// <exception cref="ApiProblemException">The wait cannot begin.</exception>
    public async Task<Func<Task>> BeginWaitAsync(Wait wait, Action<WaitProgress> onProgress, Action<WaitResult> onEnded)
    {
        IDisposable? handle = await AskAsync(wait.Application, _ =>
        {
            IDisposable? begun = host.FrontierOf(wait.Application)!.Begin(wait, onProgress, onEnded, out Refusal? refusal);
            return refusal is null ? begun : throw new ApiProblemException(refusal.Code, refusal.Text);
        }).ConfigureAwait(false);
        return () => handle is null ? Task.CompletedTask : runner.RunAsync(handle.Dispose);
    }

    private Task<T> AskAsync<T>(string application, Func<ApplicationPrimary, T> ask) => runner.RunAsync(() => host.Find(application) is { } primary
        ? ask(primary)
        : throw new ApiProblemException(ErrorCode.UnknownApplication, $"There is no application '{application}'. Create it first, or look for a typing error."));

    private static ApplicationView View(ApplicationPrimary primary, int nodeCount) => new(primary.Name, primary.Generation, primary.Committed, nodeCount);
}
