using System.Text.Json;
using Ripple.Admin.Contracts;

namespace Ripple.Gms.Tests.Api;

/// <summary>Reads what a host answered.</summary>
internal static class AdminJsonText
{
    /// <summary>The problem in an answer; null when it holds none.</summary>
    public static Problem? Problem(string text)
    {
        try
        {
            return JsonSerializer.Deserialize(text, AdminJson.Default.Problem);
        }
        catch (JsonException)
        {
            return null;
        }
    }
}
