using System.IO.Compression;
using Ripple.Admin.Contracts;
using Ripple.PowerShell.Cmdlets;
using Ripple.PowerShell.Output;
using Ripple.PowerShell.Tests.Engine;

namespace Ripple.PowerShell.Tests.Cmdlets;

/// <summary>Applications and their states as wholes: listed, created, compared, exported, imported and watched.</summary>
public sealed class StateTests : CmdletTest
{
    private readonly string _folder = Directory.CreateTempSubdirectory("ripple-ps-").FullName;

    public StateTests()
    {
        Cluster.Add("orders", Node("web-1", 0)).Add("orders-test").Add("stock");
        Cluster.Publish("orders", "a.json", "{}");
        Cluster.Publish("orders", "b", "1");
        Cluster.Publish("orders", "b", "2");
    }

    [Fact]
    public void Applications_are_read_and_come_through_the_pipeline_to_others()
    {
        Pipeline.Run<GetRippleApplicationCommand>(null, new { Application = new[] { "orders*", "stock", "nowhere" } });

        RippleApplication[] found = [.. Pipeline.Objects<RippleApplication>()];
        Assert.Equal(
            [("stock", 0UL, 0), ("orders", 3UL, 1), ("orders-test", 0UL, 0)],
            found.Select(a => (a.Application, a.NewestRelease, a.NodeCount)));
        Assert.Equal(["Ripple.unknown_application"], Pipeline.ErrorIds);
        // All nodes, and not those behind a release.
        Assert.Equal(
            "web-1",
            new TestPipeline().Run<GetRippleNodeCommand>(null, null, [.. found]).Objects<RippleNode>().Single().Name);
        Assert.DoesNotContain(Cluster.Asked, a => a.Contains("behind", StringComparison.Ordinal));
    }

    [Fact]
    public void An_application_is_created_and_one_that_is_there_is_an_error()
    {
        Pipeline.Run<NewRippleApplicationCommand>(null, new { Application = new[] { "fresh", "stock", "fresher" } });

        Assert.Equal(["fresh", "fresher"], Pipeline.Objects<RippleApplication>().Select(a => a.Application));
        Assert.Equal(["Ripple.already_exists"], Pipeline.ErrorIds);
        Assert.Equal("Create the application fresh on cluster c1 (host1)", Pipeline.Questions[0].Description);
        Assert.Empty(new TestPipeline { Answer = false }.Run<NewRippleApplicationCommand>(null, new { Application = "other" }).Output);
        Assert.Equal(0, Cluster.Asked.Count(a => a.Contains("other", StringComparison.Ordinal)));
    }

    [Fact]
    public void Two_releases_are_compared_key_by_key()
    {
        Pipeline.Run<CompareRippleReleaseCommand>(null, new { Application = "orders", From = 1UL, To = (ulong?)3UL });
        Pipeline.Run<CompareRippleReleaseCommand>(null, new { Application = "orders", From = 2UL });
        Pipeline.Run<CompareRippleReleaseCommand>(null, new { Application = "orders", From = 2UL, KeyOnly = true });

        Assert.Equal(
            [
                ("b", KeyChangeKind.Added, null, "2", 3UL),
                ("b", KeyChangeKind.Changed, "1", "2", 3UL),
                ("b", KeyChangeKind.Changed, null, null, 3UL),
            ],
            Pipeline.Objects<RippleDifference>().Select(d => (d.Key, d.Change, (string?)d.Before, (string?)d.After, d.To)));
        Assert.All(Pipeline.Objects<RippleDifference>(), d => Assert.Equal(1, d.BytesAfter));
    }

    [Fact]
    public void What_is_exported_is_imported_byte_for_byte()
    {
        Pipeline = new TestPipeline { Folder = _folder };
        Pipeline.Run<ExportRippleConfigCommand>(null, new { Application = "orders", Path = "orders.zip" });
        RippleExport export = Assert.Single(Pipeline.Objects<RippleExport>());
        Assert.Equal(
            ("orders", 3UL, 2, Path.Combine(_folder, "orders.zip")), (export.Application, export.Release, export.KeyCount, export.Path));
        Cluster.Publish("stock", "other", "x");

        var import = new TestPipeline { Folder = _folder };
        import.Run<ImportRippleConfigCommand>(null, new { Application = "stock", Path = "orders.zip", PassThru = true, Replace = true });

        Assert.Empty(import.Errors);
        Assert.StartsWith(
            "Import into stock on cluster c1 (host1), expecting release 1: a.json added, b added, other removed; reaches no node now",
            import.Questions.Single().Description,
            StringComparison.Ordinal);
        Assert.Equal(("{}", "2", null), (Cluster.Text("stock", "a.json"), Cluster.Text("stock", "b"), Cluster.Text("stock", "other")));
        Assert.Equal(2UL, Assert.Single(import.Objects<RipplePublished>()).Release);
    }

    [Fact]
    public void A_file_that_exists_stays_on_request_and_what_failed_leaves_nothing()
    {
        Pipeline = new TestPipeline { Folder = _folder };
        File.WriteAllText(Path.Combine(_folder, "kept.zip"), "mine");

        Pipeline.Run<ExportRippleConfigCommand>(null, new { Application = "orders", Path = "kept.zip", NoClobber = true });
        Pipeline.Run<ExportRippleConfigCommand>(null, new { Application = "stock", Path = "none.zip" });

        Assert.Equal(["Ripple.unwritable", "Ripple.invalid_request"], Pipeline.ErrorIds);
        Assert.Equal(["kept.zip"], Directory.EnumerateFiles(_folder).Select(Path.GetFileName));
        Assert.Equal("mine", File.ReadAllText(Path.Combine(_folder, "kept.zip")));
    }

    [Fact]
    public void What_is_no_archive_is_not_imported()
    {
        Pipeline = new TestPipeline { Folder = _folder };
        File.WriteAllText(Path.Combine(_folder, "text.zip"), "nothing of the kind");
        ZipFile.Open(Path.Combine(_folder, "empty.zip"), ZipArchiveMode.Create).Dispose();

        foreach (string path in new[] { "text.zip", "empty.zip", "missing.zip" })
        {
            Pipeline.Run<ImportRippleConfigCommand>(null, new { Application = "stock", Path = path });
        }

        Assert.Equal(["Ripple.invalid_archive", "Ripple.invalid_archive", "Ripple.unreadable"], Pipeline.ErrorIds);
        Assert.Equal(0, ChangeCount);
    }

    [Fact]
    public void A_watch_writes_each_new_release_once_and_ends_with_the_pipeline()
    {
        Pipeline = new TestPipeline { EnoughObjects = 3 };
        int asked = 0;
        Cluster.OnRequest = request =>
        {
            if (request.RequestUri!.AbsolutePath.EndsWith("/orders", StringComparison.Ordinal) && ++asked is 2 or 3)
            {
                Cluster.Publish("orders", "b", $"{asked}");
            }
        };

        Assert.Throws<TestPipeline.EnoughException>(() => Pipeline.Run<WatchRippleReleaseCommand>(
            null, new { Application = "orders", After = (ulong?)2UL, IntervalSeconds = 1 }));

        Assert.Equal([3UL, 4UL, 5UL], Pipeline.Objects<RippleRelease>().Select(r => r.Release));
    }

    [Fact]
    public void A_watch_begins_with_the_next_release_lives_through_a_lost_host_and_ends_with_its_time()
    {
        int asked = 0;
        Cluster.OnRequest = request =>
        {
            if (++asked is > 1 and < 4)
            {
                throw new HttpRequestException(HttpRequestError.ConnectionError, "refused");
            }
        };

        Pipeline.Run<WatchRippleReleaseCommand>(null, new { Application = "orders", IntervalSeconds = 1, TimeoutSeconds = (int?)2 });

        Assert.Empty(Pipeline.Output);
        Assert.Empty(Pipeline.Errors);
        Assert.Contains("asked again", Assert.Single(Pipeline.Warnings), StringComparison.Ordinal);
    }

    protected override void Dispose(bool isDisposing)
    {
        Directory.Delete(_folder, recursive: true);
        base.Dispose(isDisposing);
    }
}
