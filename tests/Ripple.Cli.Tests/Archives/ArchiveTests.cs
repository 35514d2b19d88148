using System.IO.Compression;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using Ripple.Cli.Tests.Commands;
using Ripple.Cli.Tests.Hosting;

namespace Ripple.Cli.Tests.Archives;

public sealed class ArchiveTests(CliHost host) : CommandTest(host)
{
    [Fact]
    public async Task Export_and_import_bring_every_byte_to_another_application()
    {
        string from = await ApplicationAsync("1", "2");
        byte[] bytes = [.. Enumerable.Range(0, 100_000).Select(i => (byte)(i * 31))];
        (await RunAsync("publish", from, $"../odd name={Folder.File("b", bytes)}", "--text", "empty=")).Done();
        string to = await ApplicationAsync("0");
        (await RunAsync("publish", to, "--text", "kept=yes")).Done();
        string file = Folder.PathOf("x.zip");

        CliRun exported = (await RunAsync("export", from, "--out", file)).Done();
        CliRun plan = (await RunAsync("import", file, "--app", to, "--dry-run")).Done();
        CliRun imported = (await RunAsync("import", file, "--app", to, "--expect", "2")).Done();

        Assert.Equal($"{from} release 3: 3 keys written to {file}", Assert.Single(exported.Lines));
        Assert.Contains("added empty (0 bytes)", plan.Lines);
        Assert.StartsWith($"{to} release 3 (", imported.Output, StringComparison.Ordinal);
        Assert.Equal(bytes, (await RunAsync("get", to, "../odd name")).Done().OutputBytes);
        Assert.Equal("2", (await RunAsync("get", to, "a.txt")).Done().Output);
        Assert.Equal("", (await RunAsync("get", to, "empty")).Done().Output);
        Assert.Equal("yes", (await RunAsync("get", to, "kept")).Done().Output);
        Assert.StartsWith(
            $"imported from {from} release 3 (",
            (await RunAsync("history", to, "-o", "json")).Json[0].GetProperty("note").GetString(),
            StringComparison.Ordinal);
        (await RunAsync("import", file, "--app", to, "--replace")).Done();
        (await RunAsync("get", to, "kept")).Failed(2);
    }

    [Fact]
    public async Task Export_of_a_past_release_names_it_and_unpacks_anywhere()
    {
        string application = await ApplicationAsync("1", "2");
        (await RunAsync("publish", application, "--text", "../../evil=x")).Done();
        string file = Folder.PathOf("x.zip");

        JsonElement manifest = (await RunAsync("export", application, "--out", file, "--release", "1", "-o", "json")).Done().Json;

        Assert.Equal(1, manifest.GetProperty("release").GetInt32());
        Assert.Equal("a.txt", Assert.Single(manifest.GetProperty("keys").EnumerateArray()).GetProperty("key").GetString());
        (await RunAsync("export", application, "--out", file)).Done();
        using ZipArchive zip = await ZipFile.OpenReadAsync(file, TestContext.Current.CancellationToken);
        Assert.Contains("manifest.json", zip.Entries.Select(e => e.FullName));
        Assert.All(
            zip.Entries.Where(e => e.FullName != "manifest.json"), e => Assert.Matches("^values/[0-9]{4}-[A-Za-z0-9._-]+$", e.FullName));
        Assert.DoesNotContain(Directory.EnumerateFiles(Folder.Path), f => f.EndsWith(".new", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Export_of_nothing_is_refused_and_leaves_no_file()
    {
        string application = await ApplicationAsync();
        string file = Folder.PathOf("x.zip");

        (await RunAsync("export", application, "--out", file)).Failed(2, "no release yet");
        (await RunAsync("export", "nobody", "--out", file)).Failed(2, "nobody");
        (await RunAsync("export", application)).Failed(1, "--out");

        Assert.Empty(Directory.EnumerateFiles(Folder.Path));
    }

    [Fact]
    public async Task What_is_no_archive_or_of_another_format_is_refused()
    {
        string application = await ApplicationAsync("1");
        string file = Folder.PathOf("x.zip");
        (await RunAsync("export", application, "--out", file)).Done();

        (await RunAsync("import", Folder.File("text", "no zip"), "--app", application)).Failed(2, "not an archive");
        (await RunAsync("import", Changed(file, m => m["format"] = "other"), "--app", application)).Failed(2, "ripple-archive");
        (await RunAsync("import", Changed(file, m => m["version"] = 2), "--app", application)).Failed(
            2, "another version", "Update this program");
        (await RunAsync("import", Changed(file, m => m["keys"]!.AsArray().Add(null)), "--app", application)).Failed(2, "damaged");
        (await RunAsync("import", Changed(file, m => m["keys"]![0]!.AsObject().Remove("entry")), "--app", application))
            .Failed(2, "damaged");
        (await RunAsync("import", Changed(file, m => m["keys"] = null), "--app", application)).Failed(2, "damaged");
        (await RunAsync("import", Changed(file, m => m["keys"]![0]!["sha256"] = new string('0', 64)), "--app", application))
            .Failed(2, "damaged: the value of 'a.txt'");
        (await RunAsync("import", Changed(file, m => m["keys"]![0]!["lengthBytes"] = 0), "--app", application))
            .Failed(2, "more bytes than the archive says");
        (await RunAsync("import", Changed(file, m => m["keys"]![0]!["lengthBytes"] = 17 * 1024 * 1024), "--app", application))
            .Failed(2, "more than the 16777216 bytes");
        (await RunAsync("import", Changed(file, m => m["keys"]![0]!["entry"] = "../etc/passwd"), "--app", application))
            .Failed(2, "no '../etc/passwd' in it");
        (await RunAsync("import", Folder.PathOf("nowhere"), "--app", application)).Failed(1, "There is no file");
        (await RunAsync("import", file)).Failed(1, "--app");
        (await RunAsync("import", "--app", application)).Failed(1, "either FILE, or --git REPO");
        (await RunAsync("import", file, "--app", application, "--key", "k")).Failed(1, "--key does not go with FILE");

        Assert.Equal(1, (await RunAsync("history", application, "-o", "json")).Json.GetArrayLength());
    }

    private string Changed(string file, Action<JsonNode> change)
    {
        string copy = Folder.PathOf($"{Guid.NewGuid():N}.zip");
        File.Copy(file, copy);
        using ZipArchive zip = ZipFile.Open(copy, ZipArchiveMode.Update);
        ZipArchiveEntry entry = zip.GetEntry("manifest.json")!;
        JsonNode manifest;
        using (Stream stream = entry.Open())
        {
            manifest = JsonNode.Parse(stream)!;
        }

        change(manifest);
        entry.Delete();
        using Stream written = zip.CreateEntry("manifest.json").Open();
        written.Write(Encoding.UTF8.GetBytes(manifest.ToJsonString()));
        return copy;
    }
}
