using System.Globalization;
using Ripple.Engine.Releases;
using Ripple.Simulator.Checking;
using Ripple.Simulator.Tracing;

namespace Ripple.Simulator.Oracles;

/// <summary>
/// What a host or a disk says about a release: its number, the publish it was made of and the release it follows. Names are the system's
/// ids, used as opaque text.
/// </summary>
/// <param name="Application">The application.</param>
/// <param name="Generation">The generation.</param>
/// <param name="Release">The release number.</param>
/// <param name="Name">The release's name.</param>
/// <param name="Previous">The name of the release before it; empty for the first.</param>
/// <param name="Publish">The publish id; empty for a release that begins a generation.</param>
internal readonly record struct ReleaseClaim(
    string Application, uint Generation, ulong Release, string Name, string Previous, Guid Publish) : IViolationSubject
{
    /// <summary>The claim that a header makes.</summary>
    public static ReleaseClaim Of(ReleaseHeader header)
    {
        ArgumentNullException.ThrowIfNull(header);
        string previous = header.Release == 1 ? string.Empty : header.PreviousId.ToString();
        return new ReleaseClaim(
            header.Application, header.Generation, header.Release, header.Id.ToString(), previous, header.PublishId);
    }

    /// <summary>How stories and timelines name it.</summary>
    public ReleaseLabel Label => new(Generation, Release, Name);

    void IViolationSubject.AddTo(ViolationSubject subject) => subject.AddRelease(Label);

    /// <inheritdoc/>
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{Application} {Generation}/{Release} {Name}");
}
