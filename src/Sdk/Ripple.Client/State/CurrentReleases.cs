using System.Collections.Frozen;
using Ripple.Engine.Protocol;

namespace Ripple.Client.State;

/// <summary>
/// For each application, the release in effect, the newest received, and a newer one that is rejected. The core thread writes a release
/// the moment it takes effect; any thread reads it without locking.
/// </summary>
internal sealed class CurrentReleases(IEnumerable<string> applications)
{
    private readonly FrozenDictionary<string, Holder> _byApplication = applications.ToFrozenDictionary(
        application => application,
        application => new Holder { Release = new RippleRelease { Application = application } },
        StringComparer.Ordinal);

    public RippleRelease this[string application]
    {
        get => Find(application).Release;
        set => Find(application).Release = value;
    }

    /// <summary>The newest release that was received completely.</summary>
    public ReceivedRelease ReceivedOf(string application) => Find(application).Received;

    /// <summary>Sets it.</summary>
    public void SetReceived(string application, ReceivedRelease received) => Find(application).Received = received;

    /// <summary>The newest rejection, of a release newer than the one in effect; null if there is none.</summary>
    public StandingRejection? RejectionOf(string application) => Find(application).Rejection;

    /// <summary>Sets it.</summary>
    public void SetRejection(string application, StandingRejection? rejection) => Find(application).Rejection = rejection;

    private Holder Find(string application) => _byApplication.TryGetValue(application, out Holder? holder)
        ? holder
        : throw new RippleException(
            ErrorCode.UnknownApplication,
            $"The application '{application}' is not in this client's interest "
            + $"({string.Join(", ", _byApplication.Keys.Order(StringComparer.Ordinal))}). Add it to RippleClientOptions.Interest.");

    private sealed class Holder
    {
        private RippleRelease? _release;
        private StandingRejection? _rejection;
        private ReceivedRelease _received = new(0, null);

        public ReceivedRelease Received
        {
            get => Volatile.Read(ref _received);
            set => Volatile.Write(ref _received, value);
        }

        public StandingRejection? Rejection
        {
            get => Volatile.Read(ref _rejection);
            set => Volatile.Write(ref _rejection, value);
        }

        public required RippleRelease Release
        {
            get => Volatile.Read(ref _release)!;
            set => Volatile.Write(ref _release, value);
        }
    }
}

/// <summary>The newest release received completely, in effect or not. Immutable.</summary>
/// <param name="Release">The release; 0 for none.</param>
/// <param name="UndecidedSince">Since when, by the timestamp of the client's clock, a release waits for a decision of this process; null
/// while none does.</param>
internal sealed record ReceivedRelease(ulong Release, long? UndecidedSince)
{
    /// <summary>Whether it is rejected, none was accepted, and a past one is being searched for.</summary>
    public bool IsSearching { get; init; }
}

/// <summary>A release that this process rejects, newer than the one in effect. Immutable.</summary>
/// <param name="Release">The release.</param>
/// <param name="Reason">Why.</param>
internal sealed record StandingRejection(ulong Release, string Reason)
{
    /// <summary>The other releases that this process examined and rejects, oldest first.</summary>
    public IReadOnlyList<StandingRejection> Others { get; init; } = [];
}
