using System.Globalization;

namespace Ripple.Simulator.Tracing;

/// <summary>A release as stories and timelines name it.</summary>
/// <param name="Generation">The generation.</param>
/// <param name="Number">The release number.</param>
/// <param name="Name">The name: two releases may have one number, but not one name.</param>
internal readonly record struct ReleaseLabel(uint Generation, ulong Number, string Name)
{
    /// <inheritdoc/>
    public override string ToString() =>
        string.Create(CultureInfo.InvariantCulture, $"{Generation}/{Number} ({Name[..Math.Min(8, Name.Length)]})");
}
