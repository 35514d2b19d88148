using System.Globalization;

namespace Ripple.Tests.Shared;

/// <summary>How many random inputs a decoder is given: RIPPLE_FUZZ_COUNT, or 20,000.</summary>
internal static class FuzzCount
{
    public static int Value { get; } =
        int.TryParse(
            Environment.GetEnvironmentVariable("RIPPLE_FUZZ_COUNT"), NumberStyles.None, CultureInfo.InvariantCulture, out int count)
            ? count
            : 20_000;
}
