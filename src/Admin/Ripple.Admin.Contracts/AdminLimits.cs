namespace Ripple.Admin.Contracts;

/// <summary>The bounds of the admin API. What is over one is refused with its name, never cut.</summary>
public static class AdminLimits
{
    /// <summary>The most items of a page.</summary>
    public const int PageItemsMax = 200;

    /// <summary>The items of a page when none are asked for.</summary>
    public const int PageItemsDefault = 50;

    /// <summary>The most bytes of one value.</summary>
    public const int ValueBytesMax = 16 * 1024 * 1024;

    /// <summary>The most bytes of all values of one publish.</summary>
    public const int PublishBytesMax = 16 * 1024 * 1024;

    /// <summary>The most keys of one publish.</summary>
    public const int ChangesMax = 1_000;

    /// <summary>The longest wait, in seconds.</summary>
    public const int WaitSecondsMax = 3_600;
}
