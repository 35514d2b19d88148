using System.Globalization;

namespace Ripple.Admin.Contracts;

/// <summary>
/// A release as people and <c>If-Match</c> write it: <c>2/101</c> is release 101 of generation 2. A number alone is a release of whatever
/// generation is the present one when a host judges it, so that it may mean another release after a restore.
/// </summary>
/// <param name="Generation">The generation; null for the present one.</param>
/// <param name="Release">The release; where one is expected, 0 says that there is none yet, in whatever generation.</param>
public readonly record struct ReleaseNumber(uint? Generation, ulong Release)
{
    /// <summary>Reads <c>2/101</c> or <c>101</c>; false for anything else.</summary>
    /// <param name="text">The text; may be null.</param>
    /// <param name="number">What it says.</param>
    public static bool TryParse(string? text, out ReleaseNumber number)
    {
        number = default;
        string[] parts = (text ?? string.Empty).Split('/');
        uint generation = 0;
        if (parts.Length > 2
            || !ulong.TryParse(parts[^1], NumberStyles.None, CultureInfo.InvariantCulture, out ulong release)
            || release == ulong.MaxValue
            || (parts.Length == 2
                && (!uint.TryParse(parts[0], NumberStyles.None, CultureInfo.InvariantCulture, out generation) || generation == 0)))
        {
            return false;
        }

        number = new ReleaseNumber(parts.Length == 1 ? null : generation, release);
        return true;
    }

    /// <summary>A number alone.</summary>
    /// <param name="release">The release.</param>
    public static implicit operator ReleaseNumber(ulong release) => FromUInt64(release);

    /// <summary>A number alone.</summary>
    /// <param name="release">The release.</param>
    public static ReleaseNumber FromUInt64(ulong release) => new(null, release);

    /// <summary>As <see cref="TryParse"/> reads it.</summary>
    public override string ToString() => Generation is { } generation
        ? string.Create(CultureInfo.InvariantCulture, $"{generation}/{Release}")
        : Release.ToString(CultureInfo.InvariantCulture);
}
