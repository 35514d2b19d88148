namespace Ripple.Load.Matching;

/// <summary>What an index is compared with: every box is looked at, dimension by dimension, until one does not have the event.</summary>
internal sealed class BoxScan
{
    private readonly double[][] _lows;
    private readonly double[][] _highs;
    private readonly int[] _found;

    public BoxScan((double Low, double High)[] ranges, int dimensions)
    {
        int boxes = ranges.Length / dimensions;
        _lows = [.. Enumerable.Range(0, dimensions).Select(d => Column(d, r => r.Low))];
        _highs = [.. Enumerable.Range(0, dimensions).Select(d => Column(d, r => r.High))];
        _found = new int[boxes];

        double[] Column(int dimension, Func<(double Low, double High), double> end) =>
            [.. Enumerable.Range(0, boxes).Select(i => end(ranges[(i * dimensions) + dimension]))];
    }

    /// <summary>The boxes that have the point; good until the next call.</summary>
    public ReadOnlySpan<int> Match(ReadOnlySpan<double> point)
    {
        int count = 0;
        for (int i = 0; i < _found.Length; i++)
        {
            int d = 0;
            while (d < point.Length && point[d] >= _lows[d][i] && point[d] < _highs[d][i])
            {
                d++;
            }

            if (d == point.Length)
            {
                _found[count++] = i;
            }
        }

        return _found.AsSpan(0, count);
    }
}
