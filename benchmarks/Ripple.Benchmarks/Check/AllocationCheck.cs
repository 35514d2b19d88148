using System.Globalization;

namespace Ripple.Benchmarks.Check;

/// <summary>Compares what every benchmark allocates with the table.</summary>
internal static class AllocationCheck
{
    /// <summary>
    /// What several threads allocate differs a little from run to run: that much above the table is let pass, in percent. Nothing is, of 0.
    /// </summary>
    private const double MarginPercent = 5;

    /// <summary>Prints a line a benchmark; 1 when one is above the table, or the table and the benchmarks are not the same set.</summary>
    public static int Run(TextWriter output, TextWriter errors)
    {
        SortedDictionary<string, double> allowed = AllowedBytes.Read();
        var found = new List<string>();
        foreach ((BenchmarkCase benchmark, double bytes) in MeasureAll())
        {
            bool isKnown = allowed.Remove(benchmark.Name, out double bytesMax);
            output.WriteLine($"{Text(bytes),10} B  of {(isKnown ? Text(bytesMax) : "?"),10}  {benchmark.Name}");
            if (!isKnown)
            {
                found.Add($"{benchmark.Name} is missing in the table: it allocates {Text(bytes)} B an operation.");
            }
            else if (bytes > bytesMax * (1 + (MarginPercent / 100)))
            {
                found.Add($"{benchmark.Name} allocates {Text(bytes)} B an operation; the table allows {Text(bytesMax)} B.");
            }
            else if (benchmark.IsCore && bytesMax > 0)
            {
                found.Add($"{benchmark.Name} runs on a core thread; the table must say 0 and says {Text(bytesMax)} B.");
            }
        }

        found.AddRange(allowed.Keys.Select(name => $"{name} is in the table and is no benchmark any more."));
        return Report(found, output, errors, "Each allocates no more than the table allows.");
    }

    /// <summary>Writes the table anew; 1, and the table stays as it was, when a benchmark of the core allocates.</summary>
    public static int Write(TextWriter output, TextWriter errors)
    {
        var table = new SortedDictionary<string, double>(StringComparer.Ordinal);
        var found = new List<string>();
        foreach ((BenchmarkCase benchmark, double bytes) in MeasureAll())
        {
            output.WriteLine($"{Text(bytes),10} B  {benchmark.Name}");
            table.Add(benchmark.Name, bytes);
            if (benchmark.IsCore && bytes > 0)
            {
                found.Add($"{benchmark.Name} allocates {Text(bytes)} B an operation, and runs on a core thread, which allocates nothing.");
            }
        }

        if (found.Count == 0)
        {
            AllowedBytes.Write(table);
        }

        return Report(found, output, errors, $"Written to {AllowedBytes.Path}.");
    }

    private static IEnumerable<(BenchmarkCase Benchmark, double Bytes)> MeasureAll() =>
        BenchmarkCase.FindAll(typeof(AllocationCheck).Assembly).Select(b => (b, Rounded(b, AllocationMeter.Measure(b))));

    // A core thread's 0 is 0, not nearly.
    private static double Rounded(BenchmarkCase benchmark, double bytes) =>
        benchmark.IsCore ? Math.Ceiling(bytes * 100) / 100 : Math.Round(bytes, 1);

    private static int Report(List<string> found, TextWriter output, TextWriter errors, string success)
    {
        if (found.Count == 0)
        {
            output.WriteLine(success);
            return 0;
        }

        foreach (string line in found)
        {
            errors.WriteLine(line);
        }

        errors.WriteLine(
            $"{found.Count} of the bytes an operation do not fit {AllowedBytes.Path}. "
                + $"What is meant goes into it with --write, and its diff is part of the review.");
        return 1;
    }

    private static string Text(double bytes) => bytes.ToString("0.##", CultureInfo.InvariantCulture);
}
