using System.ComponentModel.DataAnnotations;

namespace Ripple.Extensions.Hosting.Tests.Hosting;

/// <summary>What the tests bind.</summary>
public sealed class ShopOptions
{
    public string Title { get; set; } = "none";

    [Range(1, 100)]
    public int Limit { get; set; } = 1;

    public int Half { get; set; }

    public int Other { get; set; }
}
