using Ripple.Simulator.Checking;
using Xunit.Sdk;

namespace Ripple.Tests.Shared.Faults;

/// <summary>
/// A fault of the product that is known and not mended. What must be true is asserted as in any test, and is not true: the test passes
/// while that is so. Where the fault does not show, the test is reported as skipped, with that for a reason: it is mended, or a legitimate
/// change has it hidden. Who mends it takes this around the assertion away. Only the assertion belongs into it: what leads there must
/// succeed by itself.
/// </summary>
internal static class KnownFault
{
    /// <summary>Passes when an assertion of the body, or an invariant, does not hold; skips the test when the body passes.</summary>
    /// <param name="reference">Where the fault was found.</param>
    /// <param name="body">Asserts what must be true. Any other exception of it is a failure of the test.</param>
    public static void Expect(string reference, Action body)
    {
        ArgumentNullException.ThrowIfNull(body);
        try
        {
            body();
        }
        catch (Exception e) when (e is InvariantViolationException or (XunitException and not SkipException))
        {
            // Told where the test runs: that it fails by the assertion that is meant can be seen at any time.
            TestContext.Current.TestOutputHelper?.WriteLine($"{reference}: {e.Message}");
            return;
        }

        Assert.Skip($"This known fault does not show. Where it is mended, make this a plain test. ({reference})");
    }
}
