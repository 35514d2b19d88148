using System.Collections.Frozen;
using Ripple.Engine.Protocol;

namespace Ripple.Client.State;

/// <summary>
/// The release in effect of each application, the newest received, and the newer one that stands rejected. The core thread writes a release
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

    /// <summary>The newest release that was received whole.</summary>
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
