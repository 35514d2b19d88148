namespace Ripple.Load.Fanout;

/// <summary>Finds the pace at which the raw side delivers most while it loses at most a hundredth.</summary>
internal sealed class RawPace(FanoutSession session)
{
    public const double LossMax = 0.01;
    private const int Steps = 7;
    private static readonly TimeSpan Trial = TimeSpan.FromMilliseconds(400);

    /// <summary>The pace in bytes a second of each receiver's stream. Infinite: none is needed.</summary>
    public double BytesS { get; private set; } = double.PositiveInfinity;

    public async Task SearchAsync()
    {
        (_, double loss, double fastest) = await session.RunRawAsync(Trial, double.PositiveInfinity);
        if (loss <= LossMax)
        {
            return;
        }

        double low = fastest * (1 - loss) / 16;
        double high = fastest;
        for (int i = 0; i < Steps; i++)
        {
            double middle = Math.Sqrt(low * high);
            if (await IsKeptAsync(middle))
            {
                low = middle;
            }
            else
            {
                high = middle;
            }
        }

        BytesS = low;
    }

    /// <summary>Learns of a measured run: slower after too much loss, a little faster after next to none.</summary>
    public void Learn(double loss, double sentBytesS)
    {
        if (loss > LossMax)
        {
            BytesS = Math.Min(BytesS, sentBytesS) * 0.9;
        }
        else if (loss < LossMax / 10)
        {
            BytesS *= 1.1;
        }
    }

    /// <summary>Tried twice: one hiccup of the machine is not the socket's doing.</summary>
    private async Task<bool> IsKeptAsync(double bytesS) =>
        (await session.RunRawAsync(Trial, bytesS)).Loss <= LossMax || (await session.RunRawAsync(Trial, bytesS)).Loss <= LossMax;
}
