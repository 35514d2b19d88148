using System.CommandLine;
using System.CommandLine.Parsing;
using System.Net;
using Ripple.Gms.Server;

namespace Ripple.Gms.Host.Commands;

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
