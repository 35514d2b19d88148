using System.Collections.Frozen;
using Ripple.Engine.Protocol;

namespace Ripple.Client.State;

/// <summary>
/// The release in effect of each application. The core thread writes a release the moment it takes effect; any thread reads it without
/// locking.
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

    private Holder Find(string application) => _byApplication.TryGetValue(application, out Holder? holder)
        ? holder
        : throw new RippleException(
            ErrorCode.UnknownApplication,
            $"The application '{application}' is not in this client's interest "
            + $"({string.Join(", ", _byApplication.Keys.Order(StringComparer.Ordinal))}). Add it to RippleClientOptions.Interest.");

    private sealed class Holder
    {
        private RippleRelease? _release;

        public required RippleRelease Release
        {
            get => Volatile.Read(ref _release)!;
            set => Volatile.Write(ref _release, value);
        }
    }
}
