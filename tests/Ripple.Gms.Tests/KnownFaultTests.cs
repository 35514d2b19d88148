using Ripple.Simulator.Checking;
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
    public void A_fault_that_does_not_show_is_reported_and_fails_nothing()
    {
        SkipException hidden = Assert.Throws<SkipException>(() => KnownFault.Expect("made up", () => { }));
        Assert.EndsWith("This known fault does not show. Where it is mended, make this a plain test. (made up)", hidden.Message);
    }

    [Fact]
    public void What_is_no_failed_assertion_passes_through() =>
        Assert.Throws<InvalidOperationException>(
            () => KnownFault.Expect("made up", () => throw new InvalidOperationException("another fault")));
}
