using System.Globalization;
using System.Text;
using Ripple.Client;

namespace Ripple.Attacks.Roles;

/// <summary>The number that a publish carries.</summary>
internal static class PublishedNumber
{
    public const string Key = "number";

    public static byte[] Encode(long number) => Encoding.ASCII.GetBytes(number.ToString(CultureInfo.InvariantCulture).PadLeft(64));

    /// <summary>0 for a state without one.</summary>
    public static long Of(RippleRelease release) =>
        release.Values.TryGetValue(Key, out ReadOnlyMemory<byte> value)
        && long.TryParse(
            Encoding.ASCII.GetString(value.Span), NumberStyles.AllowLeadingWhite, CultureInfo.InvariantCulture, out long number)
            ? number
            : 0;
}
