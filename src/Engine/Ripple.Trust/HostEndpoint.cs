using System.Globalization;
using System.Net;
using System.Net.Sockets;

namespace Ripple.Trust;

/// <summary>The address a host listens on: <c>name:port</c>, <c>address:port</c> or <c>[IPv6 address]:port</c>.</summary>
/// <param name="Host">A DNS name or an address, without brackets.</param>
/// <param name="Port">1 to 65,535.</param>
public readonly record struct HostEndpoint(string Host, int Port)
{
    /// <summary>Parses the text form. On false, <paramref name="error"/> says what is wrong and what to write instead.</summary>
    public static bool TryParse(string text, out HostEndpoint endpoint, out string error)
    {
        ArgumentNullException.ThrowIfNull(text);
        endpoint = default;
        string host;
        string rest;
        if (text.StartsWith('['))
        {
            int close = text.IndexOf(']', StringComparison.Ordinal);
            if (close < 0
                || !IPAddress.TryParse(text.AsSpan(1, close - 1), out IPAddress? address)
                || address.AddressFamily != AddressFamily.InterNetworkV6)
            {
                error = $"'{text}' does not have an IPv6 address between its brackets; write it as [::1]:7400";
                return false;
            }

            host = text[1..close];
            rest = text[(close + 1)..];
        }
        else
        {
            int colon = text.IndexOf(':', StringComparison.Ordinal);
            if (colon >= 0 && text.IndexOf(':', colon + 1) >= 0)
            {
                error = $"'{text}' has several colons; write an IPv6 address in brackets, as [::1]:7400";
                return false;
            }

            host = colon < 0 ? text : text[..colon];
            rest = colon < 0 ? "" : text[colon..];
            if (Uri.CheckHostName(host) is not (UriHostNameType.Dns or UriHostNameType.IPv4))
            {
                error = $"'{text}' does not start with a host name or address; write it as host:7400";
                return false;
            }
        }

        if (!rest.StartsWith(':'))
        {
            error = $"'{text}' has no port; write it as {(text.StartsWith('[') ? $"[{host}]" : host)}:7400";
            return false;
        }

        if (!int.TryParse(rest.AsSpan(1), NumberStyles.None, CultureInfo.InvariantCulture, out int port) || port is < 1 or > 65_535)
        {
            error = $"'{text}' has the port '{rest[1..]}', which is not a number from 1 to 65535";
            return false;
        }

        endpoint = new(host, port);
        error = "";
        return true;
    }

    /// <summary>The text form, with an IPv6 address in brackets.</summary>
    public override string ToString() => Host.Contains(':', StringComparison.Ordinal)
        ? string.Create(CultureInfo.InvariantCulture, $"[{Host}]:{Port}")
        : string.Create(CultureInfo.InvariantCulture, $"{Host}:{Port}");
}
