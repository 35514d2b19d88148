using Ripple.Client.Events;
using Ripple.Engine.Releases;

namespace Ripple.Client.Tests.Events;

public sealed class RefusalPaceTests
{
    private static readonly IntakeRefusal Value = new("a value: its bytes are not those of its digest", 7, "key");
    private static readonly IntakeRefusal Other = new("a release message that is malformed");
    private readonly RefusalPace _pace = new();

    [Fact]
    public void One_of_a_kind_is_told_in_ten_seconds_and_the_next_says_how_many_were_not()
    {
        Assert.Equal((true, 0L), Tell("shop", Other, 5));
        for (int i = 0; i < 1_000; i++)
        {
            Assert.False(Tell("shop", Other, 6).IsTold);
        }

        Assert.False(Tell("shop", Other, 4 + RefusalPace.PauseNs).IsTold);
        Assert.Equal((true, 1_001L), Tell("shop", Other, 5 + RefusalPace.PauseNs));
        Assert.Equal((true, 0L), Tell("shop", Other, 5 + (2 * RefusalPace.PauseNs)));
    }

    [Fact]
    public void What_a_forger_sends_hides_neither_a_value_nor_another_application()
    {
        Assert.True(Tell("shop", Other, 5).IsTold);
        Assert.False(Tell("shop", Other, 6).IsTold);
        Assert.True(Tell("shop", Value, 6).IsTold);
        Assert.True(Tell("billing", Other, 6).IsTold);
    }

    private (bool IsTold, long Omitted) Tell(string application, IntakeRefusal refusal, long nowNs) =>
        (_pace.TryReport(application, refusal, nowNs, out long omitted), omitted);
}
