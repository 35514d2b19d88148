using Ripple.Testing.Checking;
using Xunit.Sdk;

namespace Ripple.Gms.Tests;

public sealed class KnownFaultTests
{
    [Fact]
    public void A_fault_that_is_there_passes()
    {
        KnownFault.Expect("made up", () => Assert.Equal(1, 2));
        KnownFault.Expect("made up", () => throw new InvariantViolationException("Checker", "made up", 1, 0));
    }

    [Fact]
    public void A_mended_fault_fails_and_says_what_to_do()
    {
        XunitException mended = Assert.ThrowsAny<XunitException>(() => KnownFault.Expect("made up", () => { }));
        Assert.Equal("This fault is mended: make it a plain test. (made up)", mended.Message);
    }

    [Fact]
    public void What_is_no_failed_assertion_passes_through() =>
        Assert.Throws<InvalidOperationException>(
            () => KnownFault.Expect("made up", () => throw new InvalidOperationException("another fault")));
}
