using Ripple.Engine.Regions;

namespace Ripple.Client;

/// <summary>
/// One node of a cluster: the state of its applications, and calls to the hosts. Thread-safe. An application given as null means the
/// client's own. Calls to hosts wait for a connection and are retried after a lost one, until their time is up.
/// </summary>
public interface IRippleClient : IAsyncDisposable
{
    /// <summary>The application this process belongs to.</summary>
    string Application { get; }

    /// <summary>The node's id; the default value before the first enrollment.</summary>
    NodeId NodeId { get; }

    /// <summary>The state of the connection to the hosts.</summary>
    ConnectionState ConnectionState { get; }

    /// <summary>Why the client is not connected, for display; null while it is connected, and before the first failure.</summary>
    string? LastError { get; }

    /// <summary>
    /// The last time a host confirmed that this client has received the newest releases, in UTC by this machine's clock. Hosts confirm with
    /// every heartbeat. Null if none has yet. Saved with the snapshot once a minute and on disposal, so that a process that starts without
    /// a host knows how old its state is.
    /// </summary>
    DateTimeOffset? ConfirmedAt { get; }

    /// <summary>
    /// Raised on the thread pool, in order, when <see cref="ConnectionState"/> changes. Exceptions thrown by handlers are logged.
    /// </summary>
    event EventHandler<ConnectionStateChange>? ConnectionStateChanged;

    /// <summary>The state in effect now; its release is 0 if there is none yet. Cheap: makes no call.</summary>
    /// <exception cref="RippleException">The application is not in the client's interest.</exception>
    RippleRelease Current(string? application = null);

    /// <summary>
    /// Reads the value of a key in the state in effect now. Returns false if there is no such key. Use <see cref="Current"/> to read
    /// several keys of the same release.
    /// </summary>
    /// <exception cref="RippleException">The application is not in the client's interest.</exception>
    bool TryGet(string key, out ReadOnlyMemory<byte> value, string? application = null);

    /// <summary>
    /// Enumerates the release in effect, if any, and then each release that takes effect, in order. A watch that falls more than 64
    /// releases behind continues with the newest, whose <see cref="RippleRelease.Skipped"/> counts the ones missed. Ends when the client is
    /// disposed.
    /// </summary>
    /// <exception cref="RippleException">The application is not in the client's interest.</exception>
    /// <exception cref="OperationCanceledException">The token was canceled.</exception>
    IAsyncEnumerable<RippleRelease> WatchAsync(string? application = null, CancellationToken cancellationToken = default);

    /// <summary>
    /// Enumerates each release of the application in order, also those that this process never put in effect because a newer one superseded
    /// them, or because it rejected them; what did not come here is read from a host's history. Starts with the first release after
    /// <paramref name="after"/>, and ends when the client is disposed. Numbers leave a gap only where the hosts keep what is between no
    /// more, and go back only where a restore began a new generation.
    /// </summary>
    /// <param name="application">The application; null for the client's own.</param>
    /// <param name="after">The last release that was handled before; its generation and number alone are looked at, release 0 stands for
    /// the beginning. Null: the release in effect, or the newest one if none is.</param>
    /// <param name="cancellationToken">Cancels the enumeration.</param>
    /// <exception cref="RippleException">The application is not in the client's interest, or a host refused.</exception>
    /// <exception cref="OperationCanceledException">The token was canceled.</exception>
    IAsyncEnumerable<HistoryEntry> WatchHistoryAsync(
        string? application = null, HistoryEntry? after = null, CancellationToken cancellationToken = default);

    /// <summary>
    /// Publishes key changes as one release; completes when the release is committed. Canceling does not undo the publish: to learn its
    /// outcome, publish again with the same publish id.
    /// </summary>
    /// <exception cref="RipplePublishException">The request is not valid, or the host refused it.</exception>
    /// <exception cref="RippleTimeoutException">The publish timeout passed; it is unknown whether the release was made.</exception>
    /// <exception cref="RippleRefusedException">The host refused the client's credential.</exception>
    Task<PublishResult> PublishAsync(PublishRequest request, CancellationToken cancellationToken = default);

    /// <summary>Publishes the state of a past release as the newest release.</summary>
    /// <param name="application">The application.</param>
    /// <param name="toRelease">The release whose state to restore.</param>
    /// <param name="note">The reason, for display.</param>
    /// <param name="expectedRelease">As in <see cref="PublishRequest.ExpectedRelease"/>.</param>
    /// <param name="publishId">As in <see cref="PublishRequest.PublishId"/>; null for a new id.</param>
    /// <param name="expectedGeneration">As in <see cref="PublishRequest.ExpectedGeneration"/>.</param>
    /// <param name="cancellationToken">Stops waiting; does not undo the rollback.</param>
    /// <exception cref="RipplePublishException">The request is not valid, or the host refused it.</exception>
    /// <exception cref="RippleTimeoutException">The publish timeout passed; it is unknown whether the release was made.</exception>
    /// <exception cref="RippleRefusedException">The host refused the client's credential.</exception>
    Task<PublishResult> RollbackAsync(
        string application,
        ulong toRelease,
        string note = "",
        ulong? expectedRelease = null,
        Guid? publishId = null,
        uint? expectedGeneration = null,
        CancellationToken cancellationToken = default);

    /// <summary>The application's releases, newest first, fetched page by page.</summary>
    /// <param name="application">The application.</param>
    /// <param name="before">Returns only releases before this one; null for all.</param>
    /// <param name="cancellationToken">Cancels the enumeration.</param>
    /// <exception cref="RippleException">The host refused.</exception>
    IAsyncEnumerable<HistoryEntry> HistoryAsync(string application, ulong? before = null, CancellationToken cancellationToken = default);

    /// <summary>
    /// Reads a key at a release from a host. Null if there is no such key, or no such release, or none any more: hosts keep so many.
    /// </summary>
    /// <param name="application">The application.</param>
    /// <param name="key">The key.</param>
    /// <param name="release">The release; null for the newest committed one.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <exception cref="RippleException">The host refused.</exception>
    Task<ReadResult?> ReadAsync(string application, string key, ulong? release = null, CancellationToken cancellationToken = default);

    /// <summary>
    /// Creates an application; requires an administrator's credential. If the connection was lost during the call, an application reported
    /// as already existing may be the one this call created.
    /// </summary>
    /// <exception cref="RippleException">The host refused, for example because the application already exists.</exception>
    Task CreateApplicationAsync(string application, CancellationToken cancellationToken = default);

    /// <summary>The application's newest release and the state of each member.</summary>
    /// <exception cref="RippleException">The host refused.</exception>
    Task<ApplicationStatus> StatusAsync(string application, CancellationToken cancellationToken = default);

    /// <summary>
    /// Waits until a predicate over the members of an application holds for a release: <c>MIN($ALL.applied)</c> means "in effect
    /// everywhere". Ends early if it can never hold. The wait is bound to the members that the application had when the release was
    /// ordered; after a reconnect it is sent again, and bound to the same ones, over restarts of the host too. The generation is the one
    /// that is the present one when a host first takes the wait, and stays.
    /// </summary>
    /// <param name="application">The application.</param>
    /// <param name="release">The release.</param>
    /// <param name="predicate">The predicate.</param>
    /// <param name="timeout">How long to wait.</param>
    /// <param name="progress">Receives progress on the thread pool; reports may be coalesced.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <exception cref="RippleException">The predicate or the timeout is not valid, or the host refused.</exception>
    Task<WaitResult> WaitAsync(
        string application,
        ulong release,
        string predicate,
        TimeSpan timeout,
        IProgress<WaitProgress>? progress = null,
        CancellationToken cancellationToken = default);

    /// <summary>
    /// As without a generation, for a release that means the same for ever: if its generation has ended it cannot hold, and while the host
    /// does not know it yet, as after a restore, the wait is asked again until its time is up.
    /// </summary>
    /// <param name="application">The application.</param>
    /// <param name="generation">The generation, as in <see cref="PublishResult.Generation"/>; from 1.</param>
    /// <param name="release">The release.</param>
    /// <param name="predicate">The predicate.</param>
    /// <param name="timeout">How long to wait.</param>
    /// <param name="progress">Receives progress on the thread pool; reports may be coalesced.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <exception cref="RippleException">The generation, the predicate or the timeout is not valid, or the host refused.</exception>
    Task<WaitResult> WaitAsync(
        string application,
        uint generation,
        ulong release,
        string predicate,
        TimeSpan timeout,
        IProgress<WaitProgress>? progress = null,
        CancellationToken cancellationToken = default);

    /// <summary>
    /// Follows a predicate (Stabilizer III): the newest release for which it holds, now and whenever that changes, over the members of the
    /// moment. A member that joins holds it up and never lowers it. A name of a predicate is followed when another predicate gets it: its
    /// version grows, and a stricter one may show an older release. Points never go back in the order of generation, version and release.
    /// Who takes them slowly gets the newest. Goes on over lost connections and other hosts, until it is canceled.
    /// </summary>
    /// <param name="application">The application.</param>
    /// <param name="predicate">The predicate, or the name of one.</param>
    /// <param name="cancellationToken">Ends it.</param>
    /// <exception cref="RippleException">The predicate is not valid, the host refused, or the name was removed; while enumerating.
    /// </exception>
    IAsyncEnumerable<FrontierPoint> MonitorAsync(string application, string predicate, CancellationToken cancellationToken = default);

    /// <summary>
    /// Says that this process has reached a level of an application's own (Stabilizer III.C), such as <c>verified</c>, for a release and
    /// all before it. Predicates count it beside <c>received</c>, <c>persisted</c> and <c>applied</c>, never for more than was received
    /// here. Completes when a host has taken it; it is told again after each reconnect, while the process runs.
    /// </summary>
    /// <param name="application">An application that this client takes.</param>
    /// <param name="release">The release, of the generation that is in effect here.</param>
    /// <param name="level">The level, which an administrator of the application declared.</param>
    /// <param name="cancellationToken">Abandons the call.</param>
    /// <exception cref="RippleException">The application is not taken, there is no such level or release, or the host refused.</exception>
    Task ReportAsync(string application, ulong release, string level, CancellationToken cancellationToken = default);

    /// <summary>The space of an application's events, which may be another than this client's own.</summary>
    /// <param name="application">The application.</param>
    /// <exception cref="RippleException">The name is not valid.</exception>
    IRippleSpace Space(string application);
}
