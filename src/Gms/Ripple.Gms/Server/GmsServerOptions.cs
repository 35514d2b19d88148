using System.Net;
using System.Net.Sockets;
using Ripple.Engine.Core;
using Ripple.Engine.Wire;
using Ripple.Gms.Store;
using Ripple.Transports.Links;
using Ripple.Trust;

namespace Ripple.Gms.Server;

/// <summary>How a host runs. Immutable; checked by <see cref="GmsServer.StartAsync"/>.</summary>
public sealed record GmsServerOptions
{
    private const long LinkBytesMax = 128L * 1_024 * 1_024;

    /// <summary>
    /// The directory of everything the host keeps: store, authority, certificates, connection strings. Made for its owner alone (0700)
    /// where it is missing. One host at a time.
    /// </summary>
    public required string DataDirectory { get; init; }

    /// <summary>
    /// Where the control endpoint listens (TCP), and by its address the datagram ports (UDP). Default 127.0.0.1:7400: nobody outside this
    /// machine. Port 0 lets the system choose, anew at each start.
    /// </summary>
    public IPEndPoint ListenAddress { get; init; } = new(IPAddress.Loopback, 7400);

    /// <summary>
    /// By what nodes reach the host: a DNS name or an address. Null (the default): the listen address, or the machine's name where that is
    /// an "any" address. A name is resolved once, at the start, for the datagram ports.
    /// </summary>
    public string? AdvertiseAddress { get; init; }

    /// <summary>The UDP port of data; 0 (the default) lets the system choose. Set it where a firewall stands between.</summary>
    public int DataPort { get; init; }

    /// <summary>The UDP port of repair and acknowledgement; 0 (the default) lets the system choose.</summary>
    public int RepairPort { get; init; }

    /// <summary>How the streams of regions go to multicast groups. Null (the default): not at all, and each member gets its own.</summary>
    public GmsMulticastOptions? Multicast { get; init; }

    /// <summary>
    /// The application made at the first start, for which <c>client.connection</c> is good. Default <c>default</c>. Another name at a later
    /// start makes that one too, and the file is then for it.
    /// </summary>
    public string Application { get; init; } = "default";

    /// <summary>
    /// Where <c>/health/live</c> and <c>/health/ready</c> answer, over plain HTTP; nothing else is told there. Default 127.0.0.1:7480; port
    /// 0 lets the system choose; null: nowhere.
    /// </summary>
    public IPEndPoint? HealthAddress { get; init; } = new(IPAddress.Loopback, 7480);

    /// <summary>The host's name, unique in its cluster, in its certificates. Null (the default): what <see cref="Gms"/> says.</summary>
    public string? Name { get; init; }

    /// <summary>How the host keeps its members and delivers.</summary>
    public GmsOptions Gms { get; init; } = new();

    /// <summary>The sizes of its core.</summary>
    internal CoreOptions Core { get; } = new();

    /// <summary>The sizes of its store.</summary>
    internal HostStoreOptions Store { get; } = new();

    /// <summary>
    /// The bounds of a control link, and of all of one host: each call makes budgets of their own, for two hosts started from one set of
    /// options share none.
    /// </summary>
    internal static LinkOptions MakeLink() =>
        new() { SendBudget = new LinkBudget(LinkBytesMax), ReceiveBudget = new LinkBudget(LinkBytesMax) };

    /// <summary>The name in effect.</summary>
    internal string EffectiveName => Name ?? Gms.Name;

    /// <summary>What nodes are told to connect to, without the port.</summary>
    internal string EffectiveAdvertiseAddress =>
        AdvertiseAddress ?? (IsAny(ListenAddress.Address) ? Environment.MachineName : ListenAddress.Address.ToString());

    internal static bool IsAny(IPAddress address) => address.Equals(IPAddress.Any) || address.Equals(IPAddress.IPv6Any);

    /// <summary>Throws <see cref="GmsServerException"/> about the first thing that is wrong.</summary>
    internal void Check()
    {
        if (string.IsNullOrWhiteSpace(DataDirectory))
        {
            throw new GmsServerException("No data directory is given. Give one that only this host uses.");
        }

        if (!TrustText.IsApplication(Application))
        {
            throw new GmsServerException($"The application name '{Application}' is not {TrustText.ApplicationRule}.");
        }

        if (!TrustText.IsName(EffectiveName))
        {
            throw new GmsServerException($"The host's name '{EffectiveName}' is not {TrustText.NameRule}.");
        }

        if (Uri.CheckHostName(EffectiveAdvertiseAddress) is not (UriHostNameType.Dns or UriHostNameType.IPv4 or UriHostNameType.IPv6)
            || (IPAddress.TryParse(EffectiveAdvertiseAddress, out IPAddress? advertised) && IsAny(advertised)))
        {
            throw new GmsServerException(
                $"Nodes cannot connect to '{EffectiveAdvertiseAddress}'. Advertise a DNS name or an address of this machine.");
        }

        if (Gms.RegionMembersMax is < 1 or > WireLimits.RegionMembersMax)
        {
            throw new GmsServerException(
                $"A region of at most {Gms.RegionMembersMax} members is not possible: "
                    + $"give a number from 1 to {WireLimits.RegionMembersMax}.");
        }

        if (Gms.PassingBytesMax < 64L * 1_024 * 1_024)
        {
            throw new GmsServerException(
                $"{Gms.PassingBytesMax} bytes for what passes to connections are too few: give 64 MiB or more, for a value may have 16.");
        }

        if (ListenAddress.AddressFamily is not (AddressFamily.InterNetwork or AddressFamily.InterNetworkV6))
        {
            throw new GmsServerException($"The host cannot listen at '{ListenAddress}'. Give an IPv4 or IPv6 address and a port.");
        }

        if (DataPort is < 0 or > 65_535 || RepairPort is < 0 or > 65_535 || (DataPort != 0 && DataPort == RepairPort))
        {
            throw new GmsServerException(
                $"The UDP ports {DataPort} and {RepairPort} must be two different numbers from 0 to 65535; 0 lets the system choose.");
        }

        Multicast?.Check(ListenAddress.Address);
    }
}
