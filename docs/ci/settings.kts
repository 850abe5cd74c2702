// SPDX-License-Identifier: MIT
// TeamCity: copy as .teamcity/settings.kts. Needs thalweg on the agent's path.
import jetbrains.buildServer.configs.kotlin.*
import jetbrains.buildServer.configs.kotlin.buildFeatures.XmlReport
import jetbrains.buildServer.configs.kotlin.buildFeatures.xmlReport
import jetbrains.buildServer.configs.kotlin.buildSteps.script
import jetbrains.buildServer.configs.kotlin.triggers.vcs

version = "2023.11"

project {
    buildType(Terrain)
}

object Terrain : BuildType({
    name = "Terrain"
    artifactRules = "thalweg-differences => thalweg-differences.zip"
    vcs {
        root(DslContext.settingsRoot)
    }
    steps {
        script {
            scriptContent = "rm -rf thalweg-differences && thalweg verify --format junit -o thalweg-differences > thalweg.xml"
        }
    }
    triggers {
        vcs {}
    }
    features {
        xmlReport {
            reportType = XmlReport.XmlReportType.JUNIT
            rules = "+:thalweg.xml"
        }
    }
})
