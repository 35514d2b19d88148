namespace Ripple.Extensions.Hosting.Tests.Hosting;

/// <summary>What the tests bind beside <see cref="ShopOptions"/>.</summary>
public sealed class StockOptions
{
    public int Half { get; set; }
}
