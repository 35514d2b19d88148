using System.Collections.Frozen;
using System.CommandLine;
using System.CommandLine.Parsing;
using System.Globalization;
using System.Net;
using Ripple.Gms.Server;
using Ripple.Trust;

namespace Ripple.Gms.Host.Commands;

/// <summary>Command-line options of the host itself. Defaults are those of <see cref="GmsServerOptions"/>.</summary>
internal sealed class RunOptions
{
    private const int DaysMax = 36_500;
    private const long NsPerDay = 86_400_000_000_000;
    private static readonly GmsServerOptions Defaults = new() { DataDirectory = "" };

    private readonly Option<IPEndPoint> _listen = new("--listen")
    {
        Description = $"Where nodes connect to. An address that others reach is said here. Default {Defaults.ListenAddress}",
        HelpName = "ADDRESS:PORT",
        CustomParser = ReadEndPoint,
    };

    private readonly Option<string?> _advertise = new("--advertise")
    {
        Description = "By what nodes reach this host, in the connection strings. Default the listen address, or the machine's name",
        HelpName = "NAME|ADDRESS",
    };

    private readonly Option<string?> _application = new("--application")
    {
        Description = "The application made at the first start. Default: default. "
            + "A later start without it keeps the one of client.connection",
        HelpName = "NAME",
    };

    private readonly Option<Health> _health = new("--health")
    {
        Description = $"Where health is told over plain HTTP. Default {Defaults.HealthAddress}",
        HelpName = "ADDRESS:PORT|off",
        CustomParser = ReadHealth,
    };

    private readonly Option<string?> _name = new("--name")
    {
        Description = $"The host's name, unique in its cluster. Default {Defaults.Gms.Name}",
        HelpName = "NAME",
    };

    private readonly Option<int> _dataPort = new("--data-port")
    {
        Description = "The UDP port of data. Default: the system chooses",
        HelpName = "PORT",
    };

    private readonly Option<int> _repairPort = new("--repair-port")
    {
        Description = "The UDP port of repair and acknowledgement. Default: the system chooses",
        HelpName = "PORT",
    };

    private readonly MulticastOptions _multicast = new();

    private readonly Option<int?> _regionMembers = new("--region-members")
    {
        Description =
            $"The most members of one region; further nodes of the same interest go into another. Default {Defaults.Gms.RegionMembersMax}",
        HelpName = "N",
    };

    private readonly Option<int?> _regionsMax = new("--regions-max")
    {
        Description = "The most regions: one for each zone, application and interest, and for each so many nodes of these. "
            + $"Default {Defaults.Gms.RegionsMax}",
        HelpName = "N",
    };

    private readonly Option<History> _historyReleases = new("--history-releases")
    {
        Description = "The number of newest releases that are kept of an application, with their values; at least 1024. "
            + $"Default {Defaults.Gms.HistoryReleasesMax}",
        HelpName = "N|all",
        CustomParser = ReadHistory,
    };

    private readonly Option<int?> _historyDays = new("--history-days")
    {
        Description =
            "How long a release is kept after another took its place; the newest 1024 are kept in any case. Default: whatever its age",
        HelpName = "DAYS",
    };

    private readonly Option<FrozenDictionary<string, int>> _datagramBytes = DatagramBytesOption.Create();

    public void AddTo(Command command)
    {
        _advertise.Validators.Add(
            r => Check(r, text => Uri.CheckHostName(text) != UriHostNameType.Unknown, "is neither a DNS name nor an address"));
        _application.Validators.Add(r => Check(r, text => TrustText.IsApplication(text), $"is not {TrustText.ApplicationRule}"));
        _name.Validators.Add(r => Check(r, text => TrustText.IsName(text), $"is not {TrustText.NameRule}"));
        command.Options.Add(_listen);
        command.Options.Add(_advertise);
        command.Options.Add(_application);
        command.Options.Add(_health);
        command.Options.Add(_name);
        command.Options.Add(_dataPort);
        command.Options.Add(_repairPort);
        _multicast.AddTo(command);
        command.Options.Add(_regionMembers);
        command.Options.Add(_regionsMax);
        _historyDays.Validators.Add(
            r => Check(r, IsDays, $"is not a number of days from 1 to {DaysMax}"));
        command.Options.Add(_historyReleases);
        command.Options.Add(_historyDays);
        command.Options.Add(_datagramBytes);
    }

    public GmsServerOptions Read(ParseResult result) =>
        ReadWithout(result) with { DataDirectory = result.GetRequiredValue(CommonOptions.Data) };

    /// <summary>The options without a data directory, for commands that do not start a host.</summary>
    public GmsServerOptions ReadWithout(ParseResult result) => Defaults with
    {
        StoreFile = result.GetValue(CommonOptions.StoreFile),
        ListenAddress = result.GetValue(_listen) ?? Defaults.ListenAddress,
        AdvertiseAddress = result.GetValue(_advertise),
        Application = result.GetValue(_application),
        HealthAddress = result.GetValue(_health) is { } health ? health.Address : Defaults.HealthAddress,
        Name = result.GetValue(_name),
        DataPort = result.GetValue(_dataPort),
        RepairPort = result.GetValue(_repairPort),
        Multicast = _multicast.Read(result),
        Gms = Defaults.Gms with
        {
            RegionMembersMax = result.GetValue(_regionMembers) ?? Defaults.Gms.RegionMembersMax,
            RegionsMax = result.GetValue(_regionsMax) ?? Defaults.Gms.RegionsMax,
            HistoryReleasesMax = result.GetValue(_historyReleases) is { } history ? history.ReleasesMax : Defaults.Gms.HistoryReleasesMax,
            HistoryAgeNsMax = result.GetValue(_historyDays) is { } days ? days * NsPerDay : Defaults.Gms.HistoryAgeNsMax,
            DatagramBytes = result.GetValue(_datagramBytes) ?? Defaults.Gms.DatagramBytes,
        },
    };

    private static void Check(OptionResult result, Func<string, bool> isGood, string wrong)
    {
        if (result.Tokens is [var token] && !isGood(token.Value))
        {
            result.AddError($"{result.Option.Name} '{token.Value}' {wrong}.");
        }
    }

    private static bool IsDays(string text) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int days) && days is > 0 and <= DaysMax;

    private static IPEndPoint? ReadEndPoint(ArgumentResult result) => Parse(result, result.Tokens[0].Value);

    private static Health? ReadHealth(ArgumentResult result) =>
        result.Tokens[0].Value == "off" ? new Health(null) : new Health(Parse(result, result.Tokens[0].Value));

    private static History? ReadHistory(ArgumentResult result)
    {
        string text = result.Tokens[0].Value;
        if (text == "all")
        {
            return new History(null);
        }

        if (int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int count))
        {
            return new History(count);
        }

        result.AddError($"'{text}' is neither a number of releases nor 'all'.");
        return null;
    }

    private static IPEndPoint? Parse(ArgumentResult result, string text)
    {
        int colon = text.LastIndexOf(':');
        bool isPortGiven = colon > 0
            && colon > text.LastIndexOf(']')
            && int.TryParse(text.AsSpan(colon + 1), NumberStyles.None, CultureInfo.InvariantCulture, out _);
        bool isOneColon = text.StartsWith('[') || text.IndexOf(':') == colon;
        if (isPortGiven && isOneColon && IPEndPoint.TryParse(text, out IPEndPoint? endPoint))
        {
            return endPoint;
        }

        result.AddError(
            $"'{text}' is not an address and a port; write it as 127.0.0.1:7400 or [::1]:7400, and 0.0.0.0:7400 for all addresses.");
        return null;
    }

    /// <summary>Distinguishes "off" from an option that was not given.</summary>
    internal sealed record Health(IPEndPoint? Address);

    /// <summary>Distinguishes "all" from an option that was not given.</summary>
    internal sealed record History(int? ReleasesMax);
}

/// <summary>The command-line option of the sizes of datagrams: once for each zone.</summary>
internal static class DatagramBytesOption
{
    /// <summary>The option. What it gives is checked with the other options when the host starts.</summary>
    public static Option<FrozenDictionary<string, int>> Create() => new("--datagram-bytes")
    {
        Description = "The most bytes of a datagram in a zone whose paths take less than Ethernet, 1200 to 1472; once for each such zone. "
            + "Default 1472",
        HelpName = "ZONE=BYTES",
        Arity = ArgumentArity.OneOrMore,
        CustomParser = Read,
    };

    private static FrozenDictionary<string, int>? Read(ArgumentResult result)
    {
        var byZone = new SortedDictionary<string, int>(StringComparer.Ordinal);
        foreach (string text in result.Tokens.Select(t => t.Value))
        {
            int sign = text.LastIndexOf('=');
            if (sign < 1 || !int.TryParse(text.AsSpan(sign + 1), NumberStyles.None, CultureInfo.InvariantCulture, out int bytes))
            {
                result.AddError($"'{text}' is not a zone and a number of bytes; write it as east=1400.");
                return null;
            }

            if (!byZone.TryAdd(text[..sign], bytes))
            {
                result.AddError($"The zone '{text[..sign]}' is given two sizes of datagrams. Give one.");
                return null;
            }
        }

        return byZone.ToFrozenDictionary(StringComparer.Ordinal);
    }
}

/// <summary>
/// Command-line options of multicast. Defaults are those of <see cref="GmsMulticastOptions"/>; without groups, multicast is off.
/// </summary>
internal sealed class MulticastOptions
{
    private const string GroupsName = "--multicast-groups";
    private static readonly GmsMulticastOptions Defaults = new() { Groups = default };

    private readonly Option<IPNetwork?> _groups = new(GroupsName)
    {
        Description = "Send the streams of regions to multicast groups of this network, each region to one. "
            + "Members that do not hear it get theirs by unicast. Default: no multicast",
        HelpName = "ADDRESS/BITS",
        CustomParser = ReadNetwork,
    };

    private readonly Option<int> _port = new("--multicast-port")
    {
        Description = "The UDP port of all groups",
        HelpName = "PORT",
        DefaultValueFactory = _ => Defaults.Port,
    };

    private readonly Option<IPAddress?> _interface = new("--multicast-interface")
    {
        Description = "The address of the interface that multicast leaves by. Default the listen address, or the system's choice",
        HelpName = "ADDRESS",
        CustomParser = ReadAddress,
    };

    private readonly Option<int> _ttl = new("--multicast-ttl")
    {
        Description = "How many routers multicast may pass, plus one",
        HelpName = "N",
        DefaultValueFactory = _ => Defaults.Ttl,
    };

    private readonly Option<bool> _loop = new("--multicast-loop")
    {
        Description = "Whether members on this machine hear it",
        HelpName = "true|false",
        DefaultValueFactory = _ => Defaults.IsLoopedBack,
    };

    private IEnumerable<Option> Others => [_port, _interface, _ttl, _loop];

    public void AddTo(Command command)
    {
        command.Options.Add(_groups);
        foreach (Option option in Others)
        {
            command.Options.Add(option);
        }

        command.Validators.Add(result =>
        {
            bool isOn = result.GetResult(_groups) is { Implicit: false };
            foreach (Option option in isOn ? [] : Others.Where(o => result.GetResult(o) is { Implicit: false }))
            {
                result.AddError($"{option.Name} does nothing without {GroupsName}, which says the groups.");
            }
        });
    }

    /// <summary>Null when multicast is off.</summary>
    public GmsMulticastOptions? Read(ParseResult result) => result.GetValue(_groups) is not { } groups
        ? null
        : new GmsMulticastOptions
        {
            Groups = groups,
            Port = result.GetValue(_port),
            Interface = result.GetValue(_interface),
            Ttl = result.GetValue(_ttl),
            IsLoopedBack = result.GetValue(_loop),
        };

    private static IPNetwork? ReadNetwork(ArgumentResult result)
    {
        string text = result.Tokens[0].Value;
        if (IPNetwork.TryParse(text, out IPNetwork network))
        {
            return network;
        }

        result.AddError($"'{text}' is not a network; write it as 239.192.0.0/16.");
        return null;
    }

    private static IPAddress? ReadAddress(ArgumentResult result)
    {
        string text = result.Tokens[0].Value;
        if (IPAddress.TryParse(text, out IPAddress? address))
        {
            return address;
        }

        result.AddError($"'{text}' is not an address; give one that an interface of this machine has.");
        return null;
    }
}
