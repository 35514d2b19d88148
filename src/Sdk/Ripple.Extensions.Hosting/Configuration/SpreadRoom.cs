using Ripple.Engine.Releases;

namespace Ripple.Extensions.Hosting.Configuration;

/// <summary>
/// The room that the configuration paths of one release may take. A path repeats the names of its sections, so that a document of some
/// hundred kilobytes can say gigabytes of paths: such a release is rejected before they are made. One thread.
/// </summary>
internal sealed class SpreadRoom
{
    /// <summary>The most that all paths of a release may take: what a host lets one value take.</summary>
    public const long CharsMax = JsonExpansion.CharsMax;

    private long _left = CharsMax;

    /// <summary>False when the paths have no more room; then nothing is added any more.</summary>
    public bool TryTake(int pathChars)
    {
        _left = _left < 0 ? _left : _left - pathChars - JsonExpansion.EntryChars;
        return _left >= 0;
    }
}
