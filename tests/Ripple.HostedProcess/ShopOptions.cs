namespace Ripple.HostedProcess;

/// <summary>The section <c>Shop</c>.</summary>
public sealed class ShopOptions
{
    /// <summary>1 to 100; 0 where nothing is released.</summary>
    public int Limit { get; set; }
}
