using Ripple.Gms.Publishing;
using Ripple.Gms.Server;
using Ripple.Gms.Tests.Endpoint;

namespace Ripple.Gms.Tests.Server;

public sealed class ShortFormMakerTests
{
    private const int ValueBytes = 10_000;

    [Fact]
    public async Task What_does_not_fit_the_bytes_that_may_wait_is_not_made_and_what_was_made_has_left_its_room()
    {
        await using var maker = new ShortFormMaker(waitingBytesMax: 2 * ValueBytes);
        for (int i = 0; i < 100; i++)
        {
            var tooMuch = new ShortFormWork(new byte[ValueBytes], new byte[ValueBytes + 1]);
            var fitting = new ShortFormWork(new byte[ValueBytes], new byte[ValueBytes]);
            maker.Make(tooMuch);
            maker.Make(fitting);
            await ControlHarness.UntilAsync(() => fitting.Made is not null, "it is made");
            Assert.Null(tooMuch.Made);
            // Its room is free a moment after it is made.
            await ControlHarness.UntilAsync(() => maker.WaitingBytes == 0, "its room is free");
        }
    }

    [Fact]
    public async Task What_waits_is_made_before_it_ends_and_nothing_after_it()
    {
        ShortFormWork[] works = [.. Enumerable.Range(0, 50).Select(_ => new ShortFormWork(null, new byte[ValueBytes]))];
        var maker = new ShortFormMaker();
        Array.ForEach(works, maker.Make);
        await maker.DisposeAsync();
        Assert.All(works, w => Assert.False(w.Made!.Value.IsDelta));
        var late = new ShortFormWork(null, new byte[ValueBytes]);
        maker.Make(late);
        Assert.Equal((null, 0L), (late.Made, maker.WaitingBytes));
    }
}
