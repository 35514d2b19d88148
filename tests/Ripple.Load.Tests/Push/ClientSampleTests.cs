using Ripple.Load.Push;

namespace Ripple.Load.Tests.Push;

public sealed class ClientSampleTests
{
    [Fact]
    public void A_sample_comes_back_from_its_line_as_it_was()
    {
        var sample = new ClientSample(1.25, 2, 3, 4, 5.5, 6, 7);

        Assert.Equal(sample, ClientSample.Read(sample.Line.Split(' ')));
    }
}
