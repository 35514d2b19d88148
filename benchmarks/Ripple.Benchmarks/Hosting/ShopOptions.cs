namespace Ripple.Benchmarks.Hosting;

/// <summary>What the release of <see cref="ReloadBenchmarks"/> is bound to.</summary>
internal sealed class ShopOptions
{
    public string Currency { get; set; } = string.Empty;

    public int Limit { get; set; }

    public List<string> Regions { get; set; } = [];
}
