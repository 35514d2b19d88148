using System.Globalization;

namespace Ripple.Load.Peers;

/// <summary>
/// A system to compare with: what its driver is called in the generator, and how its server is started on a port of loopback.
/// </summary>
/// <param name="Name">The driver, and the prefix of its figures.</param>
/// <param name="Program">The server's program; null: the generator itself.</param>
/// <param name="Package">What has it, on Debian.</param>
/// <param name="Arguments">The server's arguments, from a port, a second port and an empty directory.</param>
internal sealed record Peer(string Name, string? Program, string Package, Func<int, int, string, string[]> Arguments)
{
    /// <summary>The one that stores.</summary>
    public const string Etcd = "etcd";

    /// <summary>The one that does not.</summary>
    public const string Redis = "redis";

    /// <summary>The bare minimum of TCP, one that stores, and one that does not.</summary>
    public static IReadOnlyList<Peer> All { get; } =
    [
        new("floor", null, string.Empty, static (port, _, _) => ["-serve-floor", Text(port)]),
        new(Etcd, "etcd", "etcd-server", static (port, peerPort, directory) =>
        [
            "--data-dir", Path.Combine(directory, "data"),
            "--listen-client-urls", $"http://127.0.0.1:{Text(port)}",
            "--advertise-client-urls", $"http://127.0.0.1:{Text(port)}",
            "--listen-peer-urls", $"http://127.0.0.1:{Text(peerPort)}",
            "--log-level", "error",
            "--logger", "zap",
        ]),
        new(Redis, "redis-server", "redis-server", static (port, _, directory) =>
            [
                "--port", Text(port), "--bind", "127.0.0.1", "--save", string.Empty, "--appendonly", "no", "--dir", directory,
                "--maxclients", "12000", "--tcp-backlog", "4096",
            ]),
    ];

    private static string Text(int port) => port.ToString(CultureInfo.InvariantCulture);
}
