namespace Ripple.Transports.Running;

/// <summary>Makes the waiter of the requested kind.</summary>
internal static class WaiterChoice
{
    private const string Variable = "RIPPLE_WAIT";

    public static IWaiter Make(WaitKind kind)
    {
        if (kind == WaitKind.Auto)
        {
            kind = FromText(Environment.GetEnvironmentVariable(Variable));
        }

        if (kind == WaitKind.Portable)
        {
            return new PortableWaiter();
        }

        return OperatingSystem.IsLinux()
            ? new EpollWaiter()
            : throw new PlatformNotSupportedException("WaitKind.Epoll is for Linux; use WaitKind.Auto.");
    }

    /// <summary>The kind that the value of the environment variable selects.</summary>
    public static WaitKind FromText(string? text) => text switch
    {
        null or "" => OperatingSystem.IsLinux() ? WaitKind.Epoll : WaitKind.Portable,
        "epoll" => WaitKind.Epoll,
        "portable" => WaitKind.Portable,
        string other => throw new InvalidOperationException($"{Variable} is '{other}'; it may be 'epoll' or 'portable'."),
    };
}
