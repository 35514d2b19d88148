using Ripple.Engine.Regions;

namespace Ripple.Client;

/// <summary>
/// One node of a cluster: what its applications are at, and the calls to the hosts. Any thread. Where an application is null, the client's
/// own is meant. Calls to hosts wait for a connection, and are asked again after a lost one, until their time is up.
/// </summary>
public interface IRippleClient : IAsyncDisposable
{
    /// <summary>The application this process is of.</summary>
    string Application { get; }

    /// <summary>The node's id; none before the first enrolment.</summary>
    NodeId NodeId { get; }

    /// <summary>Where the client stands with its hosts.</summary>
    ConnectionState ConnectionState { get; }

    /// <summary>Why it is not connected, for people; null while it is.</summary>
    string? LastError { get; }

    /// <summary>
    /// When a host last said that this client has received the newest releases there are, in UTC, by this machine's clock; hosts say so
    /// with every heartbeat. Null when none ever did. Kept with the snapshot once a minute and at the end, so that a process that starts
    /// without a host knows how old what it has is.
    /// </summary>
    DateTimeOffset? ConfirmedAt { get; }

    /// <summary>Raised on the thread pool, in order, when <see cref="ConnectionState"/> changed. What a handler throws is logged.</summary>
    event EventHandler<ConnectionStateChange>? ConnectionStateChanged;

    /// <summary>The state in effect now; release 0 while there is none. Costs nothing.</summary>
    /// <exception cref="RippleException">The application is not in the client's interest.</exception>
    RippleRelease Current(string? application = null);

    /// <summary>
    /// The value of a key in the state in effect now. False when there is no such key. Use <see cref="Current"/> to read several keys of
    /// one release.
    /// </summary>
    /// <exception cref="RippleException">The application is not in the client's interest.</exception>
    bool TryGet(string key, out ReadOnlyMemory<byte> value, string? application = null);

    /// <summary>
    /// The release in effect, if there is one, then each that takes effect, in order. A watch that is more than 64 releases behind goes on
    /// with the newest, whose <see cref="RippleRelease.Skipped"/> says how many it missed. Ends when the client is disposed of.
    /// </summary>
    /// <exception cref="RippleException">The application is not in the client's interest.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    IAsyncEnumerable<RippleRelease> WatchAsync(string? application = null, CancellationToken cancellationToken = default);

    /// <summary>
    /// Publishes key changes as one release; returns when it is committed. Cancelling does not undo it: ask again with the same publish id
    /// to learn.
    /// </summary>
    /// <exception cref="RipplePublishException">The host refused it.</exception>
    /// <exception cref="RippleTimeoutException">The publish timeout ran out; whether it was released is not known.</exception>
    /// <exception cref="RippleRefusedException">The credential is refused.</exception>
    Task<PublishResult> PublishAsync(PublishRequest request, CancellationToken cancellationToken = default);

    /// <summary>Makes the state of a past release the newest release.</summary>
    /// <param name="application">The application.</param>
    /// <param name="toRelease">The release whose state to bring back.</param>
    /// <param name="note">Why.</param>
    /// <param name="expectedRelease">As for a publish.</param>
    /// <param name="publishId">As for a publish; null for a new one.</param>
    /// <param name="cancellationToken">Gives up waiting.</param>
    /// <exception cref="RipplePublishException">The host refused it.</exception>
    /// <exception cref="RippleTimeoutException">The publish timeout ran out; whether it was released is not known.</exception>
    /// <exception cref="RippleRefusedException">The credential is refused.</exception>
    Task<PublishResult> RollbackAsync(
        string application,
        ulong toRelease,
        string note = "",
        ulong? expectedRelease = null,
        Guid? publishId = null,
        CancellationToken cancellationToken = default);

    /// <summary>Releases, newest first, fetched page by page.</summary>
    /// <param name="application">The application.</param>
    /// <param name="before">Only releases before this one; null for all.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <exception cref="RippleException">The host refused.</exception>
    IAsyncEnumerable<HistoryEntry> HistoryAsync(string application, ulong? before = null, CancellationToken cancellationToken = default);

    /// <summary>A key at a release, asked from a host. Null when there is no such key, or no such release.</summary>
    /// <param name="application">The application.</param>
    /// <param name="key">The key.</param>
    /// <param name="release">The release; null for the newest committed.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <exception cref="RippleException">The host refused.</exception>
    Task<ReadResult?> ReadAsync(string application, string key, ulong? release = null, CancellationToken cancellationToken = default);

    /// <summary>
    /// Creates an application; takes an administrator's credential. Where the connection was lost meanwhile, its own creation may be what
    /// is there already.
    /// </summary>
    /// <exception cref="RippleException">The host refused, for instance because it is there already.</exception>
    Task CreateApplicationAsync(string application, CancellationToken cancellationToken = default);

    /// <summary>Who has what.</summary>
    /// <exception cref="RippleException">The host refused.</exception>
    Task<ApplicationStatus> StatusAsync(string application, CancellationToken cancellationToken = default);

    /// <summary>
    /// Waits until a predicate over the members of an application holds for a release: <c>MIN($ALL.applied)</c> is "in effect everywhere".
    /// Ends early when it can never hold. After a reconnect the wait is asked again, over the members there are then.
    /// </summary>
    /// <param name="application">The application.</param>
    /// <param name="release">The release.</param>
    /// <param name="predicate">The predicate.</param>
    /// <param name="timeout">When to give up.</param>
    /// <param name="progress">Told how far it is, on the thread pool; may be coalesced.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <exception cref="RippleException">The predicate is not one, or the host refused.</exception>
    Task<WaitResult> WaitAsync(
        string application,
        ulong release,
        string predicate,
        TimeSpan timeout,
        IProgress<WaitProgress>? progress = null,
        CancellationToken cancellationToken = default);
}
