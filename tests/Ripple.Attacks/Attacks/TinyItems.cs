using System.Globalization;
using System.Net.Http.Headers;
using System.Text;
using Ripple.Admin.Contracts;
using Ripple.Attacks.Roles;
using Ripple.Attacks.Stages;
using Ripple.Trust;

namespace Ripple.Attacks.Attacks;

/// <summary>Two publishers send eight publishes at once, each of 24 MiB that are nothing but empty items, twice.</summary>
internal sealed class TinyItems : Attack
{
    private const int BodyBytes = 24 * 1_024 * 1_024;
    private const int Posts = 8;
    private const int Times = 2;

    public override string Name => "tiny-items";

    public override string What => "eight publishes at once of 24 MiB of empty array items, by two tokens";

    public override IReadOnlyList<string> MemoryLines => ["admin API", "publishes that come"];

    /// <summary>Who is refused a request is told so; an operator sees it in the counters of HTTP.</summary>
    public override bool IsNamed => false;

    public override async Task PrepareAsync(Stage stage)
    {
        await stage.GiveTokenAsync("mallory-a", Role.Publisher, Stage.Target);
        await stage.GiveTokenAsync("mallory-b", Role.Publisher, Stage.Target);
    }

    public override async Task RunAsync(Attacker attacker)
    {
        byte[] body = new byte[BodyBytes];
        Encoding.ASCII.GetBytes("""{"remove":[""").CopyTo(body, 0);
        int at = """{"remove":[""".Length;
        for (; at + 5 < body.Length; at += 3)
        {
            "\"\","u8.CopyTo(body.AsSpan(at));
        }

        byte[] whole = [.. body.AsSpan(0, at - 1), .. "]}"u8];
        using var handler = new SocketsHttpHandler();
#pragma warning disable CA5359 // An attacker does not care who answers.
        handler.SslOptions.RemoteCertificateValidationCallback = (_, _, _, _) => true;
#pragma warning restore CA5359
        using var client = new HttpClient(handler) { Timeout = TimeSpan.FromSeconds(50) };
        for (int i = 0; i < Times; i++)
        {
            string[] answers = await Task.WhenAll(Enumerable.Range(0, Posts).Select(n => PostAsync(client, attacker, n, whole)));
            Attacker.Note("answers", string.Join(' ', answers));
        }
    }

    public override Task<string?> WatchAsync(Stage stage, Task attacking) => AdminProbe.WatchAsync(stage, attacking);

    private static async Task<string> PostAsync(HttpClient client, Attacker attacker, int number, byte[] body)
    {
        var connection = ConnectionString.Parse(attacker.Given(number % 2 == 0 ? "mallory-a" : "mallory-b"));
        string uri = string.Create(
            CultureInfo.InvariantCulture, $"https://127.0.0.1:{attacker.Port}{AdminRoutes.Prefix}/applications/{Stage.Target}/releases");
        using var request = new HttpRequestMessage(HttpMethod.Post, uri) { Content = new ByteArrayContent(body) };
        request.Content.Headers.ContentType = new MediaTypeHeaderValue("application/json");
        request.Headers.Authorization = new AuthenticationHeaderValue("Bearer", connection.ReadToken().Reveal());
        request.Headers.Add(AdminRoutes.IdempotencyKeyHeader, Guid.NewGuid().ToString());
        try
        {
            using HttpResponseMessage response = await client.SendAsync(request, attacker.Ending);
            return ((int)response.StatusCode).ToString(CultureInfo.InvariantCulture);
        }
        catch (Exception e) when (e is HttpRequestException or TaskCanceledException)
        {
            return e.GetType().Name;
        }
    }
}
