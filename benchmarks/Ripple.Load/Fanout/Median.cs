namespace Ripple.Load.Fanout;

/// <summary>The middle of some measurements.</summary>
internal static class Median
{
    /// <summary>NaN of nothing; of an even number the mean of the middle two.</summary>
    public static double Of(IEnumerable<double> values)
    {
        double[] sorted = [.. values.Order()];
        int middle = sorted.Length / 2;
        return sorted.Length == 0 ? double.NaN : sorted.Length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
