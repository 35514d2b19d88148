using Ripple.Client.Calls;
using Ripple.Client.Spaces;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Calls;
using Ripple.Engine.Releases;

namespace Ripple.Client;

/// <content>Reading, watching, and the calls to hosts.</content>
public sealed partial class RippleClient
{
    /// <inheritdoc/>
    public RippleRelease Current(string? application = null) => _current[application ?? Application];

    /// <inheritdoc/>
    public bool TryGet(string key, out ReadOnlyMemory<byte> value, string? application = null)
    {
        ArgumentNullException.ThrowIfNull(key);
        return Current(application).Values.TryGetValue(key, out value);
    }

    /// <inheritdoc/>
    public IAsyncEnumerable<RippleRelease> WatchAsync(string? application = null, CancellationToken cancellationToken = default)
    {
        _ = Current(application);
        return _hub.WatchAsync(application ?? Application, cancellationToken);
    }

    /// <inheritdoc/>
    public IAsyncEnumerable<HistoryEntry> WatchHistoryAsync(
        string? application = null, HistoryEntry? after = null, CancellationToken cancellationToken = default)
    {
        RippleRelease now = Current(application);
        HistoryEntry? last = after
            ?? (now.Release == 0 ? null : new HistoryEntry { Generation = now.Generation, Release = now.Release, Id = now.Id });
        return _histories.WatchAsync(now.Application, last, cancellationToken);
    }

    /// <inheritdoc/>
    public Task<PublishResult> PublishAsync(PublishRequest request, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(request);
        return RunAsync(token => _publisher.PublishAsync(request.Application ?? Application, request, token), cancellationToken);
    }

    /// <inheritdoc/>
    public Task<PublishResult> RollbackAsync(
        string application,
        ulong toRelease,
        string note = "",
        ulong? expectedRelease = null,
        Guid? publishId = null,
        uint? expectedGeneration = null,
        CancellationToken cancellationToken = default)
    {
        Check(application);
        Guid id = publishId ?? Guid.NewGuid();
        if (expectedGeneration is not null && expectedRelease is null)
        {
            throw new RipplePublishException(ErrorCode.InvalidRequest, Publisher.ExpectedGenerationAlone, id);
        }

        var expected = ExpectedState.Of(expectedGeneration, expectedRelease);
        return RunAsync(token => _publisher.RollbackAsync(application, toRelease, note, expected, id, token), cancellationToken);
    }

    /// <inheritdoc/>
    public IAsyncEnumerable<HistoryEntry> HistoryAsync(
        string application, ulong? before = null, CancellationToken cancellationToken = default)
    {
        Check(application);
        ObjectDisposedException.ThrowIf(_isDisposed != 0, this);
        return _reader.HistoryAsync(application, before, cancellationToken);
    }

    /// <inheritdoc/>
    public Task<ReadResult?> ReadAsync(string application, string key, ulong? release = null, CancellationToken cancellationToken = default)
    {
        Check(application);
        return RunAsync(token => _reader.ReadAsync(application, key, release, token), cancellationToken);
    }

    /// <inheritdoc/>
    public Task CreateApplicationAsync(string application, CancellationToken cancellationToken = default)
    {
        Check(application);
        return RunAsync(
            async token =>
            {
                await _reader.CreateApplicationAsync(application, token).ConfigureAwait(false);
                return true;
            },
            cancellationToken);
    }

    /// <inheritdoc/>
    public Task<ApplicationStatus> StatusAsync(string application, CancellationToken cancellationToken = default)
    {
        Check(application);
        return RunAsync(token => _reader.StatusAsync(application, token), cancellationToken);
    }

    /// <inheritdoc/>
    public Task<WaitResult> WaitAsync(
        string application,
        ulong release,
        string predicate,
        TimeSpan timeout,
        IProgress<WaitProgress>? progress = null,
        CancellationToken cancellationToken = default)
    {
        Check(application);
        return RunAsync(token => _waiter.WaitAsync(application, 0, release, predicate, timeout, progress, token), cancellationToken);
    }

    /// <inheritdoc/>
    public Task<WaitResult> WaitAsync(
        string application,
        uint generation,
        ulong release,
        string predicate,
        TimeSpan timeout,
        IProgress<WaitProgress>? progress = null,
        CancellationToken cancellationToken = default)
    {
        Check(application);
        if (generation == 0)
        {
            throw new RippleException(
                ErrorCode.InvalidRequest, "The generation is 0; they are numbered from 1. Give that of the publish's answer, or none.");
        }

        return RunAsync(
            token => _waiter.WaitAsync(application, generation, release, predicate, timeout, progress, token), cancellationToken);
    }

    /// <inheritdoc/>
    public IAsyncEnumerable<FrontierPoint> MonitorAsync(
        string application, string predicate, CancellationToken cancellationToken = default)
    {
        Check(application);
        ObjectDisposedException.ThrowIf(_isDisposed != 0, this);
        return _follower.FollowAsync(application, predicate, _stopping.Token, cancellationToken);
    }

    /// <inheritdoc/>
    public Task ReportAsync(string application, ulong release, string level, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(level);
        uint generation = Current(application).Generation;
        return RunAsync(
            async token =>
            {
                await _reporter.ReportAsync(application, generation, release, level, token).ConfigureAwait(false);
                return true;
            },
            cancellationToken);
    }

    /// <inheritdoc/>
    public IRippleSpace Space(string application)
    {
        Check(application);
        ObjectDisposedException.ThrowIf(_isDisposed != 0, this);
        return new SpaceClient(application, _spaces, _runtime.CoreDispatcher, () => NodeId, _stopping.Token);
    }

    /// <summary>An application, or the companion of one, which nobody takes, and everybody may ask about.</summary>
    private static void Check(string application)
    {
        if (CompanionName.CheckReleased(application) is { } wrong)
        {
            throw new RippleException(ErrorCode.InvalidRequest, wrong);
        }
    }

    /// <summary>Runs a call until it ends, its caller cancels it, or the client is disposed.</summary>
    private async Task<T> RunAsync<T>(Func<CancellationToken, Task<T>> call, CancellationToken cancellationToken)
    {
        ObjectDisposedException.ThrowIf(_isDisposed != 0, this);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, _stopping.Token);
        try
        {
            return await call(either.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            cancellationToken.ThrowIfCancellationRequested();
            throw;
        }
        catch (OperationCanceledException) when (_isDisposed != 0)
        {
            throw new ObjectDisposedException(
                nameof(RippleClient),
                "The client was disposed of while the call was under way; whether a publish was released is not known.");
        }
    }
}
