using System.ComponentModel.DataAnnotations;

namespace Web;

/// <summary>The section <c>Price</c>: publish <c>Price.json</c>.</summary>
public sealed class PriceOptions
{
    [Range(1, 1_000)]
    public int Amount { get; set; } = 1;

    [Required]
    public string Currency { get; set; } = "EUR";
}
