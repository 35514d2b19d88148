using System.Globalization;
using System.Text;
using Ripple.Admin.Contracts;

namespace Ripple.Admin.Http;

/// <summary>Builds escaped paths and queries.</summary>
internal static class PathText
{
    public static string Application(string application) => $"{AdminRoutes.Prefix}/applications/{Uri.EscapeDataString(application)}";

    public static string Number(ulong number) => number.ToString(CultureInfo.InvariantCulture);

    /// <summary>A path with a query of the parts that are not null.</summary>
    public static string Query(string path, params ReadOnlySpan<(string Name, object? Value)> parts)
    {
        var text = new StringBuilder(path);
        char separator = '?';
        foreach ((string name, object? value) in parts)
        {
            if (value is not null)
            {
                text.Append(separator).Append(name).Append('=').Append(
                    Uri.EscapeDataString(Convert.ToString(value, CultureInfo.InvariantCulture) ?? string.Empty));
                separator = '&';
            }
        }

        return text.ToString();
    }
}
