using System.Collections.Frozen;
using System.CommandLine;
using System.CommandLine.Parsing;
using System.Globalization;

namespace Ripple.Gms.Host.Commands;

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
