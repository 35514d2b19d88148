namespace Ripple.Admin.Contracts;

/// <summary>The limits of the admin API. Input beyond a limit is refused with the limit's name, never truncated.</summary>
public static class AdminLimits
{
    /// <summary>Maximum number of items on a page.</summary>
    public const int PageItemsMax = 200;

    /// <summary>The number of items on a page if the request does not specify one.</summary>
    public const int PageItemsDefault = 50;

    /// <summary>Maximum size of one value, in bytes.</summary>
    public const int ValueBytesMax = 16 * 1024 * 1024;

    /// <summary>Maximum total size of the values of one publish, in bytes.</summary>
    public const int PublishBytesMax = 16 * 1024 * 1024;

    /// <summary>Maximum number of keys changed by one publish.</summary>
    public const int ChangesMax = 1_000;

    /// <summary>The longest wait, in seconds.</summary>
    public const int WaitSecondsMax = 3_600;
}
