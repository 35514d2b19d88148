using System.Globalization;
using System.Net;
using System.Net.Sockets;
using Ripple.Engine.Core;
using Ripple.Engine.Matching;
using Ripple.Engine.Protocol.Events;
using Ripple.Engine.Wire;
using Ripple.Gms.Store;
using Ripple.Transports.Links;
using Ripple.Trust;

namespace Ripple.Gms.Server;

/// <summary>Options of a host. Immutable; checked by <see cref="GmsServer.StartAsync"/>.</summary>
public sealed record GmsServerOptions
{
    /// <summary>The least that may pass to connections at a time.</summary>
    internal const long TransientBytesMin = 64L * 1_024 * 1_024;

    private const long LinkBytesMax = 128L * 1_024 * 1_024;

    /// <summary>A frontier has a row for each member, and some for members that are gone.</summary>
    private const int FrontierRowsMax = 15_000;
    private const int RegionsMaxMax = 16_384;
    private const int ApplicationsMaxMax = 65_536;
    private const long EventBytesMin = 1_048_576;
    private const long HistoryAgeNsMin = 60_000_000_000;

    /// <summary>
    /// The directory of all files the host keeps: store, authority, certificates, connection strings. Created for its owner only (0700) if
    /// missing. Used by one host at a time.
    /// </summary>
    public required string DataDirectory { get; init; }

    /// <summary>
    /// Whether the process is the host's alone, which may then have the runtime collect. Default false: another program's is left alone.
    /// </summary>
    internal bool OwnsProcess { get; init; }

    /// <summary>
    /// A file with the connection string of a PostgreSQL database that keeps the store. Only its owner may read it. Over anything but a
    /// Unix socket or loopback the connection string must say <c>SSL Mode=VerifyFull</c>. Null (the default): the store is a file in the
    /// data directory, and nothing else is needed.
    /// </summary>
    public string? StoreFile { get; init; }

    /// <summary>
    /// The address of the control endpoint (TCP); its IP address is also that of the datagram ports (UDP). Default 127.0.0.1:7400,
    /// reachable only from this machine. Port 0 lets the system choose at each start.
    /// </summary>
    public IPEndPoint ListenAddress { get; init; } = new(IPAddress.Loopback, 7400);

    /// <summary>
    /// The DNS name or address by which nodes reach the host. Null (the default): the listen address, or the machine's name when that is an
    /// "any" address. A name is resolved once, at the start, for the datagram ports.
    /// </summary>
    public string? AdvertiseAddress { get; init; }

    /// <summary>The UDP port of data; 0 (the default) lets the system choose. Set it when a firewall is in between.</summary>
    public int DataPort { get; init; }

    /// <summary>The UDP port of repair and acknowledgement; 0 (the default) lets the system choose.</summary>
    public int RepairPort { get; init; }

    /// <summary>Multicast of the regions' streams. Null (the default): none, and each member gets its own copy by unicast.</summary>
    public GmsMulticastOptions? Multicast { get; init; }

    /// <summary>
    /// The application created at the first start, for which <c>client.connection</c> is valid. Null (the default): <c>default</c> at the
    /// first start, and later the one that the file is for, or the first there is. A different name at a later start creates that one too,
    /// and rewrites the file for it.
    /// </summary>
    public string? Application { get; init; }

    /// <summary>
    /// The address of <c>/health/live</c> and <c>/health/ready</c> over plain HTTP, which serves nothing else. Default 127.0.0.1:7480; port
    /// 0 lets the system choose; null turns it off.
    /// </summary>
    public IPEndPoint? HealthAddress { get; init; } = new(IPAddress.Loopback, 7480);

    /// <summary>
    /// The host's name, unique in its cluster, also in its certificates. Null (the default): the name in <see cref="Gms"/>.
    /// </summary>
    public string? Name { get; init; }

    /// <summary>Membership and delivery options.</summary>
    public GmsOptions Gms { get; init; } = new();

    /// <summary>The core's sizes: its alarms are the sum of what the limits of <see cref="Gms"/> allow to be built on it.</summary>
    internal CoreOptions Core => new() { AlarmsMax = HostAlarms.Sum(Gms, Gms.ApplicationsMax) };

    /// <summary>The times of the lease of a store in a database; null for the defaults.</summary>
    internal LeaseTimes? Lease { get; init; }

    /// <summary>
    /// True for a start that follows a lost lease: the database was there, and it is asked until it is back, however long that takes.
    /// </summary>
    internal bool HasLed { get; init; }

    /// <summary>Called each time it is seen that another host leads, and this one stands by.</summary>
    internal Action OnStandingBy { get; init; } = () => { };

    /// <summary>The store's sizes.</summary>
    internal HostStoreOptions Store { get; } = new();

    /// <summary>
    /// The limits of a control link, and of all links of one host. Each call creates new budgets, so that two hosts started from the same
    /// options share none.
    /// </summary>
    internal static LinkOptions MakeLink() =>
        new() { SendBudget = new LinkBudget(LinkBytesMax), ReceiveBudget = new LinkBudget(LinkBytesMax) };

    /// <summary>The effective name.</summary>
    internal string EffectiveName => Name ?? Gms.Name;

    /// <summary>The advertised name or address, without the port.</summary>
    internal string EffectiveAdvertiseAddress =>
        AdvertiseAddress ?? (IsAny(ListenAddress.Address) ? Environment.MachineName : ListenAddress.Address.ToString());

    internal static bool IsAny(IPAddress address) => address.Equals(IPAddress.Any) || address.Equals(IPAddress.IPv6Any);

    /// <summary>Throws <see cref="GmsServerException"/> for the first invalid option.</summary>
    internal void Check()
    {
        if (string.IsNullOrWhiteSpace(DataDirectory))
        {
            throw new GmsServerException("No data directory is given. Give one that only this host uses.");
        }

        if (Application is not null && !TrustText.IsApplication(Application))
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

        foreach ((string zone, int bytes) in Gms.DatagramBytes)
        {
            if (bytes is < WireLimits.DatagramBytesMin or > WireLimits.DatagramBytesMax)
            {
                throw new GmsServerException(string.Create(
                    CultureInfo.InvariantCulture,
                    $"Datagrams of {bytes} bytes for the zone '{zone}' are not possible: give a number from {WireLimits.DatagramBytesMin} "
                        + $"to {WireLimits.DatagramBytesMax}."));
            }
        }

        CheckCounts();
        if (Gms.TransientBytesMax < TransientBytesMin)
        {
            throw new GmsServerException(
                $"{Gms.TransientBytesMax} bytes for what passes to connections are too few: give 64 MiB or more, for a value may have 16.");
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

    private void CheckCounts()
    {
        Check(nameof(GmsOptions.SessionsMax), Gms.SessionsMax, FrontierRowsMax);
        Check(nameof(GmsOptions.SessionsPerTokenMax), Gms.EffectiveSessionsPerTokenMax, Gms.SessionsMax);
        Check(nameof(GmsOptions.RegionsMax), Gms.RegionsMax, RegionsMaxMax);
        Check(nameof(GmsOptions.RegionsPerTokenMax), Gms.EffectiveRegionsPerTokenMax, Gms.RegionsMax);
        Check(nameof(GmsOptions.ApplicationsMax), Gms.ApplicationsMax, ApplicationsMaxMax);
        Check(nameof(GmsOptions.TokensPerApplicationMax), Gms.TokensPerApplicationMax, int.MaxValue);
        CheckEvents(Gms.Events);
        if (Gms.HistoryReleasesMax < Gms.Limits.CommitsKept)
        {
            throw new GmsServerException(string.Create(
                CultureInfo.InvariantCulture,
                $"A history of {Gms.HistoryReleasesMax} releases is too short: waits and nodes need {Gms.Limits.CommitsKept}."));
        }

        if (Gms.HistoryAgeNsMax < HistoryAgeNsMin)
        {
            throw new GmsServerException(string.Create(
                CultureInfo.InvariantCulture, $"A history of {Gms.HistoryAgeNsMax} ns is too short: give a minute or more."));
        }
    }

    private static void CheckEvents(GmsEventOptions events)
    {
        Check(nameof(GmsEventOptions.BoxesPerSubscriberMax), events.BoxesPerSubscriberMax, EventLimits.SubscriptionsMax);
        Check(nameof(GmsEventOptions.BoxesPerSpaceMax), events.BoxesPerSpaceMax, BoxIndexOptions.BoxesLimit);
        Check(nameof(GmsEventOptions.BoxesMax), events.BoxesMax, int.MaxValue);
        Check(nameof(GmsEventOptions.WindowEventsMax), events.WindowEventsMax, EventLimits.WaitingMax);
        Check(nameof(GmsEventOptions.WindowBytesMax), events.WindowBytesMax, int.MaxValue);
        Check(nameof(GmsEventOptions.QueueEventsMax), events.QueueEventsMax, int.MaxValue);
        Check(nameof(GmsEventOptions.QueueBytesMax), events.QueueBytesMax, int.MaxValue);
        Check(nameof(GmsEventOptions.KeptEventsMax), events.KeptEventsMax, int.MaxValue);
        if (events.GraceNs < 0 || events.BlockNs < 0 || events.BytesMax < EventBytesMin)
        {
            throw new GmsServerException(string.Create(
                CultureInfo.InvariantCulture,
                $"Events have a grace of {events.GraceNs} ns, block for {events.BlockNs} ns and have {events.BytesMax} bytes: "
                    + $"give 0 ns or more of each, and 1 MiB or more."));
        }
    }

    private static void Check(string name, int value, int max)
    {
        if (value < 1 || value > max)
        {
            throw new GmsServerException(
                string.Create(CultureInfo.InvariantCulture, $"{name} is {value}: give a number from 1 to {max}."));
        }
    }
}
